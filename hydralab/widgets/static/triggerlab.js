// The TriggerLab: controls and a text box that say the same trigger; curve, scores and checkpoints of it.

const IDLE = 350;
const LISTED = 200;
const TITLED_AT_ONCE = 8;

function render({ model, el }) {
  const kernel = kernelWatch(showError);
  const ask = asker(model, kernel);
  const page = model.get("_page");
  const curve = makeCurve({ onpick: peekAt });
  let idle = null;
  let serial = 0;

  const counts = h("span", { class: "hl-muted", "aria-live": "polite" });
  const title = h("div", { class: "hl-title" });
  const copied = button("copy the trigger as code", "copy as code", copy);
  const saved = button("write the trigger as a module", "save as module", save);
  const ran = h("button", { type: "button", class: "hl-run-source", hidden: true, title: "run this Python in the kernel (Ctrl Enter)", onclick: run }, "run");
  const form = makeForm({ send, page });
  const text = h("textarea", { rows: 1, spellcheck: "false", "aria-label": "trigger expression", readonly: Boolean(page), oninput: typed, onkeydown: onkey, onblur: drawText });
  const hint = h("div", { class: "hl-muted hl-source-hint", hidden: true }, "Python with @hl.trigger, @hl.step_trigger or @hl.segmenter; hl, pl and np are known; the last line may place it");
  const error = h("div", { class: "hl-error", role: "alert", hidden: true });
  const peek = h("div", { class: "hl-peek", hidden: true });
  const scores = h("div", {});
  const sweep = makeSweep({ ask, onpick: setParameter, page });
  const kept = h("button", { type: "button", class: "hl-keep", title: "go on comparing with the trigger that is shown now", onclick: () => ask("keep", { on: !result().kept }) }, "keep to compare");
  const annotators = h("select", { "aria-label": "whose gold counts", onchange: () => ask("annotator", { annotator: annotators.value }) });
  const own = h("button", { type: "button", title: "write a function of your own", onclick: beginSource }, "function…");
  const checkpoints = h("section", { class: "hl-checkpoints", "aria-label": "checkpoints", tabindex: 0 });
  const key = h("div", {});
  const root = h(
    "div",
    { class: "hl-view hl-triggerlab", "aria-label": "trigger lab" },
    h("header", { class: "hl-head" }, title, h("div", { class: "hl-head-side" }, annotators, kept, key)),
    form.el,
    h("div", { class: "hl-expression" }, h("div", {}, text, ran, copied, page ? null : saved, page ? null : own), hint, error),
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

  function setParameter(name, value) {
    const { controls } = result();
    if (name.startsWith("threshold ")) {
      const rules = controls.rules.map((rule, at) => (name === `threshold ${at}` ? { ...rule, value } : rule));
      send({ controls: { ...controls, rules } });
    } else {
      const { min_turns: least, max_turns: most } = { ...controls, [name]: value };
      const ends = name === "min_turns" ? { min_turns: least, max_turns: most && Math.max(least, most) } : { min_turns: Math.min(least, most), max_turns: most };
      send({ controls: { ...controls, ...ends } });
    }
  }

  // An expression is tried as it is typed; Python with a function is run when one says so, and not before.
  const isSource = () => /^\s*(@|def |import |from |class )/m.test(text.value);

  function typed() {
    fitText();
    clearTimeout(idle);
    drawSource();
    if (!isSource()) idle = setTimeout(() => send({ text: text.value }), 250);
  }

  function onkey(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !isSource()) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }

  function run() {
    written = text.value;
    ask("run", { source: written });
  }

  function beginSource() {
    text.value = result().source || SKELETON;
    typed();
    text.focus();
  }

  function drawSource() {
    ran.hidden = hint.hidden = !isSource();
  }

  // What one has written but not yet run stays, whatever else is shown.
  let written = "";
  function drawText() {
    const { source } = result();
    const unsent = isSource() && text.value !== written;
    if (document.activeElement !== text && !unsent) text.value = source || model.get("text");
    drawSource();
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
    const compared = shown.kept ? "the kept one" : "the one before";
    const others = [["previous", compared], ["gold", "gold"]].filter(([kind]) => shown[kind].length);
    kept.setAttribute("aria-pressed", String(shown.kept));
    annotators.hidden = shown.annotators.length < 2 || Boolean(page);
    annotators.replaceChildren(...["", ...shown.annotators.filter(Boolean)].map((name) => h("option", { value: name, selected: name === shown.annotator }, name ? `gold of ${name}` : "all gold")));
    key.replaceChildren(legend(["boundary", "this trigger"], ...others));
    form.draw(result());
    drawText();
    curve.draw({
      label: shown.signal, values: floats(model.get("_curve")), turns: shown.turns, spans: shown.spans, threshold: shown.threshold,
      marks: [
        { kind: "previous", name: compared, at: shown.previous },
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

const SKELETON = `@hl.step_trigger(init=0, reads=("shift",))
def my_trigger(turns_since, row, *, at_least=6):
    fire = turns_since >= at_least and (row["shift"] or 0) > 0.7
    return (0 if fire else turns_since + 1), fire, row["shift"] or 0.0

my_trigger.place(min_turns=4)`;
const BARRED = new Set(["F1", "Score"]);
const LOWER = new Set(["Pk", "WindowDiff"]);

export default { render };
