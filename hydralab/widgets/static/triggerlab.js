// The TriggerLab: controls and a text box that say the same trigger; curve, scores and checkpoints of it.

const IDLE = 350;
const LISTED = 200;

function render({ model, el }) {
  const ask = asker(model);
  const curve = makeCurve({ onpick: peekAt });
  let idle = null;
  let serial = 0;

  const counts = h("span", { class: "hl-muted", "aria-live": "polite" });
  const title = h("div", { class: "hl-title" });
  const copied = button("copy the trigger as code", "copy as code", copy);
  const saved = button("write the trigger as a module", "save as module", save);
  const form = h("div", { class: "hl-form" });
  const text = h("textarea", { rows: 1, spellcheck: "false", "aria-label": "trigger expression", oninput: typed, onblur: () => drawText() });
  const error = h("div", { class: "hl-error", role: "alert", hidden: true });
  const peek = h("div", { class: "hl-peek", hidden: true });
  const scores = h("section", { class: "hl-scores", "aria-label": "scores" });
  const checkpoints = h("section", { class: "hl-checkpoints", "aria-label": "checkpoints", tabindex: 0 });
  const kernel = kernelWatch(showError);
  const root = h(
    "div",
    { class: "hl-view hl-triggerlab", "aria-label": "trigger lab" },
    h("header", { class: "hl-head" }, title, legend(["boundary", "this trigger"], ["previous", "the one before"], ["gold", "gold"])),
    form,
    h("div", { class: "hl-expression" }, h("div", {}, text, copied, saved), error),
    h("div", { class: "hl-timeline" }, curve.el, peek),
    h("div", { class: "hl-columns" }, scores, checkpoints),
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

  function setControls(change, keepPrevious) {
    send({ controls: { ...shownControls, ...change }, keep_previous: keepPrevious });
  }

  function typed() {
    fitText();
    clearTimeout(idle);
    idle = setTimeout(() => send({ text: text.value }), 250);
  }

  let shownControls = null;

  // What the hand is on is never built anew: the form is drawn only when it says something else.
  function drawForm() {
    const { controls: sent, choices } = result();
    form.classList.toggle("hl-by-hand", !sent);
    if (shownControls && (!sent || JSON.stringify(sent) === JSON.stringify(shownControls))) return;
    shownControls = sent ?? START;
    const rules = shownControls.rules.map((rule, number) => ruleRow(rule, number, choices));
    const add = h("button", { type: "button", class: "hl-add", onclick: addRule }, "+ signal");
    form.replaceChildren(...rules, cueRow(add), lengthsRow());
  }

  function changeRule(number, change, keepPrevious) {
    const rules = shownControls.rules.map((rule, at) => (at === number ? { ...rule, ...change } : rule));
    shownControls = { ...shownControls, rules };
    setControls({ rules }, keepPrevious);
  }

  function addRule() {
    const used = new Set(shownControls.rules.map(({ signal }) => signal));
    const free = result().choices.find(({ name }) => !used.has(name));
    if (!free) return;
    setControls({ rules: [...shownControls.rules, { signal: free.name, value: middle(free), operator: ">" }] }, false);
  }

  function ruleRow(rule, number, choices) {
    const choice = choices.find(({ name }) => name === rule.signal) ?? { low: 0, high: 1, step: 0.01, unit: "" };
    const options = choices.map(({ name }) => h("option", { value: name, selected: name === rule.signal }, name));
    const select = h("select", { "aria-label": "signal", onchange: () => {
      const next = choices.find(({ name }) => name === select.value);
      changeRule(number, { signal: next.name, value: middle(next) }, false);
    } }, options);
    const remove = button("remove this signal", "×", () => setControls({ rules: shownControls.rules.filter((_, at) => at !== number) }, false));
    const alone = shownControls.rules.length === 1 && !shownControls.cue;
    const slide = slideRow({
      label: `threshold of ${rule.signal}`, value: rule.value, low: Math.min(choice.low, rule.value), high: Math.max(choice.high, rule.value), step: choice.step,
      oninput: (value, held) => changeRule(number, { value }, held),
    });
    return h("div", { class: "hl-field hl-rule" }, select, h("span", {}, rule.operator), slide, h("span", { class: "hl-muted hl-unit" }, choice.unit), alone ? null : remove);
  }

  function cueRow(add) {
    const cue = h("input", { type: "text", value: shownControls.cue, placeholder: "cue words, such as 换个话题|by the way", "aria-label": "cue: a regular expression", dir: "auto" });
    let wait = null;
    cue.addEventListener("input", () => {
      clearTimeout(wait);
      wait = setTimeout(() => {
        shownControls = { ...shownControls, cue: cue.value };
        setControls({ cue: cue.value }, false);
      }, 200);
    });
    const join = h("select", { "aria-label": "how the parts are joined", onchange: () => setControls({ every: join.value === "and" }, false) }, ["or", "and"].map((name) => h("option", { value: name, selected: (name === "and") === shownControls.every }, name)));
    return h("div", { class: "hl-field" }, join, h("label", {}, "cue"), cue, add);
  }

  // At its right end the slider of the longest span stands for no limit.
  function lengthsRow() {
    const shortest = Math.min(Math.max(result().turns, 8), 40);
    const longest = Math.max(Math.min(result().turns, 200), shownControls.max_turns ?? 0, 8) + 1;
    const change = (next, held) => {
      shownControls = { ...shownControls, ...next };
      min.show(shownControls.min_turns);
      max.show(shownControls.max_turns ?? longest);
      setControls({}, held);
    };
    const min = slideRow({
      label: "fewest turns of a span", value: shownControls.min_turns, low: 1, high: Math.max(shortest, shownControls.min_turns), step: 1,
      oninput: (value, held) => change({ min_turns: value, max_turns: shownControls.max_turns && Math.max(value, shownControls.max_turns) }, held),
    });
    const max = slideRow({
      label: "most turns of a span", value: shownControls.max_turns ?? longest, low: 2, high: longest, step: 1, words: { [longest]: "no limit" },
      oninput: (value, held) => change(value === longest ? { max_turns: null } : { max_turns: value, min_turns: Math.min(value, shownControls.min_turns) }, held),
    });
    return h("div", { class: "hl-field" }, h("label", {}, "min"), min, h("label", {}, "max"), max, h("span", { class: "hl-muted" }, "turns a span"));
  }

  // While a slider is held the comparison stays with the trigger from before it was taken.
  function slideRow({ label, value, low, high, step, oninput, words = {} }) {
    const digits = Math.max(0, Math.ceil(-Math.log10(step)));
    const input = h("input", { type: "range", min: low, max: high, step, value, "aria-label": label });
    const spoken = (number) => words[number] ?? fixed(number, digits);
    const shown = h("output", {}, spoken(value));
    let moved = false;
    input.addEventListener("input", () => {
      shown.textContent = spoken(input.value);
      oninput(Number(input.value), moved);
      moved = true;
    });
    input.addEventListener("change", () => {
      moved = false;
    });
    const row = h("span", { class: "hl-slide" }, input, shown);
    row.show = (number) => {
      input.value = number;
      shown.textContent = spoken(number);
    };
    return row;
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
    drawForm();
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
    titling = setTimeout(loadTitles, IDLE);
  }

  // Titles take longer than spans: they are asked for when the hand rests, a few at a time.
  let titling = null;
  const titles = new Map();

  async function loadTitles() {
    const { text: of, spans, dialogue_id: dialogue } = result();
    for (let left = untitled(spans); left.length; left = untitled(spans)) {
      const answer = await ask("titles", { spans: left.slice(0, 40).map(({ start, end }) => [start, end]) });
      if (of !== result().text || dialogue !== result().dialogue_id) return;
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
    const { position, rows } = await ask("peek", { position: turn });
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
    const { path } = await ask("save", { path: "my_trigger.py" });
    flash(saved, `wrote ${path}`);
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
  widened.observe(form);

  return () => {
    for (const [event, handler] of Object.entries(bound)) model.off(event, handler);
    clearTimeout(idle);
    clearTimeout(titling);
    kernel.answered();
    widened.disconnect();
    curve.dispose();
  };
}

const START = { rules: [{ signal: "shift", value: 0.8, operator: ">" }], cue: "", every: false, min_turns: 4, max_turns: 40, align: "round" };

function middle({ low, high, step }) {
  const value = low + 0.8 * (high - low);
  return Number((Math.round(value / step) * step).toFixed(6));
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
