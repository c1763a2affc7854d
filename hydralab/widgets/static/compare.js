// Compare: one place in the dialogue (`position`, `question`), and the prompts of several runs there.

function render({ model, el }) {
  const { dialogue, turns, runs, questions } = model.get("_overview");
  const last = Math.max(turns - 1, 0);
  const askedAt = new Map(questions.map(([id, at]) => [id, at ?? last]));
  const kernel = kernelWatch(showError);
  const ask = asker(model, kernel);
  const lines = makeLines({ onpick: go, onlayout: alignSlider });
  const losses = makeLosses({ runs, onquestion: choose });
  let late = null;
  let closed = false;

  const slider = h("input", { type: "range", min: 0, max: last, step: 1, "aria-label": "turn", oninput: () => go(Number(slider.value)) });
  const counter = h("output", { class: "hl-counter", "aria-live": "polite" });
  const controls = h(
    "div",
    { class: "hl-controls", role: "toolbar", "aria-label": "steps" },
    button("first turn (Home)", icon("first"), () => go(0)), button("turn before (←)", icon("back"), () => go(here() - 1)), counter,
    button("next turn (→)", icon("next"), () => go(here() + 1)), button("last turn (End)", icon("last"), () => go(last)),
  );
  const chips = h("div", { class: "hl-chips", role: "group", "aria-label": "runs whose prompts are shown" });
  const error = h("div", { class: "hl-error", role: "alert", hidden: true });
  const heading = h("h3", {});
  const said = h("p", { class: "hl-said", dir: "auto" });
  const columns = h("div", { class: "hl-side-by-side" });
  const chart = evidenceChart(runs);
  const root = h(
    "div",
    { class: "hl-view hl-compare", tabindex: 0, "aria-label": `comparison of ${runs.length} runs of ${dialogue}`, onkeydown: onkey },
    h("header", { class: "hl-head" }, h("div", { class: "hl-title" }, h("b", { dir: "auto" }, dialogue), h("span", { class: "hl-muted" }, `${runs.length} run${runs.length === 1 ? "" : "s"}`)), controls),
    chips,
    h("div", { class: "hl-timeline" }, lines.el, slider),
    error,
    h("div", { class: "hl-place" }, heading, said),
    columns,
    h("div", { class: "hl-bottom" }, h("section", { class: "hl-summary", "aria-label": "summary" }, summaryTable(), chart ? h("h4", {}, "evidence in the prompt against the budget") : null, chart), losses.el),
  );
  el.append(root);

  const here = () => model.get("position");

  function go(turn) {
    choosePlace(Math.min(Math.max(turn, 0), last), "");
  }

  function choose(question) {
    choosePlace(askedAt.get(question) ?? here(), question);
  }

  function choosePlace(position, question) {
    if (position === here() && question === model.get("question")) return;
    model.set({ position, question });
    model.save_changes();
    kernel.asked();
  }

  function toggle(number) {
    const shown = model.get("shown");
    model.set({ shown: shown.includes(number) ? shown.filter((each) => each !== number) : [...shown, number].sort((a, b) => a - b) });
    model.save_changes();
    kernel.asked();
  }

  function onkey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === slider) return;
    const moves = { ArrowLeft: () => here() - 1, ArrowRight: () => here() + 1, Home: () => 0, End: () => last };
    if (!(event.key in moves)) return;
    event.preventDefault();
    event.stopPropagation();
    go(moves[event.key]());
  }

  function summaryTable() {
    const names = ["run", "budget", "median", "most", "evidence"];
    const head = h("tr", {}, names.map((name, at) => h("th", at ? { class: "hl-n" } : {}, name)));
    const rows = runs.map((run) => h("tr", {}, h("td", { dir: "auto" }, swatch(run), ` ${run.run}`), h("td", { class: "hl-n" }, whole(run.budget)), h("td", { class: "hl-n" }, run.median_tokens === null ? "–" : whole(Math.round(run.median_tokens))), h("td", { class: "hl-n" }, run.most_tokens === null ? "–" : whole(run.most_tokens)),
      h("td", { class: `hl-n${run.evidence ? " hl-score" : ""}`, style: `--hl-share: ${Math.round(100 * (run.evidence ?? 0))}%; --hl-part: ${run.colour}` }, share(run.evidence))));
    return h("table", {}, h("thead", {}, head), h("tbody", {}, rows));
  }

  function drawChips() {
    const shown = model.get("shown");
    lines.show(shown);
    losses.show(shown);
    const nodes = runs.map((run, number) => h("button", { type: "button", "aria-pressed": String(shown.includes(number)), dir: "auto", onclick: () => toggle(number) }, swatch(run), run.run));
    const focused = [...chips.children].indexOf(document.activeElement);
    chips.replaceChildren(...nodes);
    if (focused >= 0) nodes[focused].focus();
  }

  // The knob stands below the cursor: the ends of its way are the first and the last turn.
  function alignSlider(left, right) {
    const knob = 6.5;
    slider.style.marginLeft = `${left - knob}px`;
    slider.style.width = `calc(100% - ${left + right - 2 * knob}px)`;
  }

  function drawPlace() {
    const position = here();
    counter.textContent = turns ? `${whole(position)} / ${whole(last)}` : "no turns";
    slider.value = position;
    slider.setAttribute("aria-valuetext", `turn ${position} of ${last}`);
    lines.moveTo(position);
    losses.choose(model.get("question"));
    clearTimeout(late);
    if (model.get("_moment").position !== position) late = setTimeout(() => columns.classList.add("hl-stale"), 150);
  }

  function drawMoment() {
    clearTimeout(late);
    kernel.answered();
    const moment = model.get("_moment");
    columns.classList.remove("hl-stale");
    heading.textContent = moment.heading;
    said.textContent = moment.said.text.slice(0, 400);
    columns.style.setProperty("--hl-columns", Math.max(moment.columns.length, 1));
    columns.replaceChildren(...(moment.columns.length ? moment.columns.map(columnNode) : [note("no run is chosen: press a name above")]));
  }

  function columnNode(column) {
    const run = runs[column.run];
    const body = column.reason ? note(column.reason) : itemsTable({ ...column, scores: [], items: column.items.map((item) => ({ ...item, turn: null })) }, () => {});
    const asked = column.asked.filter(({ id }) => !column.question || id === column.question);
    const met = asked.flatMap(({ id, evidence }) => evidence.map(({ turn, stage, detail }) => h("span", { class: stage === "met" ? "hl-met" : "hl-lost", title: detail }, `${id.split(":").pop()}: turn ${turn ?? "?"} `, verdict(stage))));
    return h(
      "section",
      { class: "hl-prompt hl-column", "aria-label": `prompt of ${run.run}` },
      h("h4", { dir: "auto" }, swatch(run), ` ${run.run}`),
      h("div", { class: "hl-budget" }, column.parts.length ? budgetNodes(column) : []),
      met.length ? h("div", { class: "hl-verdicts" }, met) : null,
      h("div", { class: "hl-panel", tabindex: 0, "aria-label": `items of ${run.run}` }, body),
    );
  }

  // A few questions at a time, so that a step in between has not to wait for all of them.
  async function lookForLosses() {
    for (let start = 0; start !== null && !closed; ) {
      const answer = await ask("losses", { start });
      losses.take(answer);
      start = answer?.next ?? null;
    }
  }

  function drawError() {
    kernel.answered();
    showError(model.get("error"));
  }

  function showError(words) {
    error.textContent = words;
    error.hidden = !words;
  }

  lines.draw({ runs, turns });
  drawChips();
  drawMoment();
  drawPlace();
  drawError();
  lookForLosses();
  const bound = { "change:position": drawPlace, "change:question": drawPlace, "change:shown": drawChips, "change:_moment": drawMoment, "change:error": drawError };
  for (const [event, handler] of Object.entries(bound)) model.on(event, handler);

  return () => {
    for (const [event, handler] of Object.entries(bound)) model.off(event, handler);
    closed = true;
    clearTimeout(late);
    kernel.dispose();
    ask.dispose();
    lines.dispose();
  };
}

export default { render };
