// The TriggerLab: controls and a text box that say the same trigger; curve, scores and checkpoints of it.

const IDLE = 350;
const LISTED = 200;
const TITLED_AT_ONCE = 8;

function render({ model, el }) {
  const kernel = kernelWatch(showError);
  const ask = asker(model, kernel);
  const curve = makeCurve({ onpick: peekAt });
  let idle = null;
  let serial = 0;

  const counts = h("span", { class: "hl-muted", "aria-live": "polite" });
  const title = h("div", { class: "hl-title" });
  const copied = button("copy the trigger as code", "copy as code", copy);
  const saved = button("write the trigger as a module", "save as module", save);
  const form = makeForm({ send });
  const text = h("textarea", { rows: 1, spellcheck: "false", "aria-label": "trigger expression", oninput: typed, onblur: () => drawText() });
  const error = h("div", { class: "hl-error", role: "alert", hidden: true });
  const peek = h("div", { class: "hl-peek", hidden: true });
  const scores = h("div", {});
  const sweep = makeSweep({ ask, onpick: setThreshold });
  const checkpoints = h("section", { class: "hl-checkpoints", "aria-label": "checkpoints", tabindex: 0 });
  const key = h("div", {});
  const root = h(
    "div",
    { class: "hl-view hl-triggerlab", "aria-label": "trigger lab" },
    h("header", { class: "hl-head" }, title, key),
    form.el,
    h("div", { class: "hl-expression" }, h("div", {}, text, copied, saved), error),
    h("div", { class: "hl-timeline" }, curve.el, peek),
    h("div", { class: "hl-columns" }, h("section", { class: "hl-scores", "aria-label": "scores" }, scores, sweep.el), checkpoints),
  );
  el.append(root);

  const result = () => model.get("_result");

  // One trait carries every edit; the serial number makes equal edits in a row arrive as well.
  function send(edit) {
    serial += 1;
    model.set("_edit", { ...edit, serial });
    model.save_changes();
    kernel.asked();
  }

  function setThreshold(value) {
    const { controls } = result();
    const [first, ...others] = controls.rules;
    send({ controls: { ...controls, rules: [{ ...first, value }, ...others] } });
  }

  function typed() {
    fitText();
    clearTimeout(idle);
    idle = setTimeout(() => send({ text: text.value }), 250);
  }

  function drawText() {
    if (document.activeElement !== text) text.value = model.get("text");
    fitText();
  }

  function fitText() {
    text.style.height = "auto";
    text.style.height = `${text.scrollHeight + 2}px`;
  }

  function drawTitle() {
    const { dialogue, dialogue_id: id, dialogues } = result();
    const names = dialogues.length > 1
      ? h("select", { "aria-label": "dialogue", onchange: (event) => ask("dialogue", { dialogue_id: event.target.value }) }, dialogues.map(([name, shown]) => h("option", { value: name, selected: name === id }, shown || name)))
      : h("b", { dir: "auto" }, dialogue);
    title.replaceChildren(names, counts);
  }

  function drawResult() {
    const shown = result();
    if (title.dataset.dialogue !== shown.dialogue_id) {
      title.dataset.dialogue = shown.dialogue_id;
      peek.hidden = true;
      drawTitle();
    }
    counts.textContent = shown.fired;
    const others = [["previous", "the one before"], ["gold", "gold"]].filter(([kind]) => shown[kind].length);
    key.replaceChildren(legend(["boundary", "this trigger"], ...others));
    form.draw(result());
    drawText();
    curve.draw({
      label: shown.signal, values: floats(model.get("_curve")), turns: shown.turns, spans: shown.spans, threshold: shown.threshold,
      marks: [
        { kind: "previous", name: "the one before", at: shown.previous },
        { kind: "boundary", name: "this trigger", at: shown.boundaries },
        { kind: "gold", name: "gold", at: shown.gold },
      ],
    });
    scores.replaceChildren(scoresTable(shown.scores));
    drawCheckpoints(shown.spans);
    clearTimeout(titling);
    titling = setTimeout(() => loadTitles().then(() => sweep.draw(result())), IDLE);
    sweep.move(shown);
  }

  // Titles take longer than spans: they are asked for when the hand rests, a few at a time.
  let titling = null;
  const titles = new Map();

  async function loadTitles() {
    const { text: of, spans, dialogue_id: dialogue } = result();
    for (let left = untitled(spans); left.length; left = untitled(spans)) {
      const answer = await ask("titles", { spans: left.slice(0, TITLED_AT_ONCE).map(({ start, end }) => [start, end]) });
      if (!answer || of !== result().text || dialogue !== result().dialogue_id) return;
      for (const span of answer.titles) titles.set(keyOf(span), span.title);
      drawCheckpoints(spans);
    }
  }

  const keyOf = ({ start, end }) => `${result().dialogue_id} ${start}-${end}`;
  const untitled = (spans) => spans.slice(0, LISTED).filter((span) => !titles.has(keyOf(span)));

  function drawCheckpoints(spans) {
    const rows = spans.slice(0, LISTED).map((span, number) =>
      h("tr", { onclick: () => peekAt(span.start) },
        h("td", {}, h("i", { style: `--hl-part: var(--hl-band-${number % 6})` })),
        h("td", { dir: "auto" }, titles.get(keyOf(span)) ?? "…"),
        h("td", { class: "hl-n" }, `${span.start}–${span.end}`),
        h("td", { class: "hl-n" }, whole(span.tokens))),
    );
    const shown = spans.length > LISTED ? `, the first ${LISTED} shown` : "";
    const head = h("thead", {}, h("tr", {}, h("th", {}), h("th", {}, `${whole(spans.length)} checkpoints${shown}`), h("th", { class: "hl-n" }, "turns"), h("th", { class: "hl-n" }, "tokens")));
    checkpoints.replaceChildren(h("table", {}, head, h("tbody", {}, rows)));
  }

  async function peekAt(turn) {
    curve.moveTo(turn);
    const answer = await ask("peek", { position: turn });
    if (!answer) return;
    const { position, rows } = answer;
    peek.replaceChildren(...rows.map((row) =>
      h("div", { class: row.position === position ? "hl-peek-here" : "" }, h("span", { class: "hl-number" }, String(row.position)), h("b", { dir: "auto" }, row.who), h("span", { dir: "auto" }, row.text)),
    ));
    peek.hidden = !rows.length;
  }

  function drawError() {
    showError(model.get("error"));
  }

  function showError(words) {
    error.textContent = words;
    error.hidden = !words;
    text.setAttribute("aria-invalid", String(Boolean(words)));
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(model.get("text"));
      flash(copied, "copied");
    } catch {
      text.focus();
      text.select();
      flash(copied, "press Ctrl C");
    }
  }

  async function save() {
    const answer = await ask("save", { path: "my_trigger.py" });
    if (answer) flash(saved, `wrote ${answer.path}`);
  }

  function flash(node, words) {
    const before = node.textContent;
    node.textContent = words;
    setTimeout(() => node.replaceChildren(before), 1800);
  }

  drawResult();
  drawError();
  const bound = { "change:_result": drawResult, "change:error": drawError, "change:_answered": kernel.answered };
  for (const [event, handler] of Object.entries(bound)) model.on(event, handler);
  const widened = new ResizeObserver(fitText);
  widened.observe(form.el);

  return () => {
    for (const [event, handler] of Object.entries(bound)) model.off(event, handler);
    clearTimeout(idle);
    clearTimeout(titling);
    kernel.dispose();
    ask.dispose();
    widened.disconnect();
    sweep.dispose();
    curve.dispose();
  };
}

function scoresTable(rows) {
  if (!rows.length) return h("p", { class: "hl-note" }, "no gold boundaries for this dialogue, so nothing to score against");
  const names = Object.keys(rows[0].scores);
  const head = h("thead", {}, h("tr", {}, h("th", {}), names.map((name) => h("th", { class: "hl-n" }, name, LOWER.has(name) ? h("span", { class: "hl-muted", title: "lower is better" }, " ↓") : null))));
  const body = rows.map((row) =>
    h("tr", { class: row.name === "this trigger" ? "hl-this" : "" }, h("td", {}, row.name), names.map((name) => scoreCell(name, row.scores[name]))),
  );
  return h("table", {}, head, h("tbody", {}, body));
}

function scoreCell(name, value) {
  if (!BARRED.has(name) || value === null) return h("td", { class: "hl-n" }, score(value));
  return h("td", { class: "hl-n hl-score", style: `--hl-share: ${Math.round(value * 100)}%` }, score(value));
}

const BARRED = new Set(["F1", "Score"]);
const LOWER = new Set(["Pk", "WindowDiff"]);

export default { render };
