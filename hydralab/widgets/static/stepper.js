// The Stepper: one place in the dialogue (`position`, `question`), shown by curve, transcript and context.

const PLAY_EVERY = 900;

function render({ model, el }) {
  const overview = model.get("_overview");
  const last = Math.max(overview.turns - 1, 0);
  const kernel = kernelWatch(showError);
  const ask = asker(model, kernel);
  const curve = makeCurve({ onpick: go, onlayout: alignSlider });
  const transcript = makeTranscript({ overview, ask, onpick: go });
  const search = makeSearch({ ask, onfound: showFound, onshow: transcript.reveal });
  const context = makeContext({ ask, onturn: transcript.scrollTo, onquestion: choose });
  const annotation = makeAnnotation({ ask, here: () => model.get("position"), model, last });
  let playing = null;
  let late = null;

  const slider = h("input", { type: "range", min: 0, max: last, step: 1, "aria-label": "turn", oninput: () => go(Number(slider.value)) });
  const counter = h("output", { class: "hl-counter", "aria-live": "polite" });
  const play = button("play", icon("play"), togglePlay);
  // A page without a kernel shows marks of nobody.
  const annotate = model.get("_marks") ? h("button", { type: "button", "aria-label": "annotate (A)", title: "annotate (A)", "aria-pressed": "false", onclick: toggleMarking }, "annotate") : null;
  const controls = h(
    "div",
    { class: "hl-controls", role: "toolbar", "aria-label": "steps" },
    annotate,
    button("first turn (Home)", icon("first"), () => go(0)),
    button("checkpoint before (Page Up)", icon("spanBack"), () => go(spanBefore())),
    button("turn before (←)", icon("back"), () => go(here() - 1)),
    counter,
    button("next turn (→)", icon("next"), () => go(here() + 1)),
    button("next checkpoint (Page Down)", icon("spanNext"), () => go(spanAfter())),
    button("last turn (End)", icon("last"), () => go(last)),
    play,
  );
  const key = legend(["mine", "marked by hand"], ["boundary", "checkpoint"], ...(overview.gold.length ? [["gold", "gold"]] : []), ["recalled", "recalled"], ["recent", "recent"]);
  const error = h("div", { class: "hl-error", role: "alert", hidden: true });
  const root = h(
    "div",
    { class: "hl-view hl-stepper", tabindex: 0, "aria-label": `stepper of ${overview.dialogue}`, onkeydown: onkey },
    h("header", { class: "hl-head" }, h("div", { class: "hl-title" }, h("b", { dir: "auto" }, overview.dialogue), h("span", { class: "hl-muted" }, `${overview.strategy} · budget ${whole(overview.budget)}`)), controls),
    h("div", { class: "hl-timeline" }, curve.el, slider, key),
    annotation.el,
    error,
    h("div", { class: "hl-columns" }, h("section", { class: "hl-dialogue", "aria-label": "dialogue" }, search.el, transcript.el), context.el),
  );
  el.append(root);

  const here = () => model.get("position");

  function go(turn) {
    choosePlace(Math.min(Math.max(turn, 0), last), "");
  }

  function choose(question) {
    const asked = overview.questions.find(({ id }) => id === question);
    choosePlace(asked ? asked.at : here(), question);
  }

  function choosePlace(position, question) {
    if (position === here() && question === model.get("question")) return;
    model.set({ position, question });
    model.save_changes();
    kernel.asked();
  }

  function spanBefore() {
    const starts = overview.spans.map(({ start }) => start).filter((start) => start < here());
    return starts.length ? starts[starts.length - 1] : 0;
  }

  function spanAfter() {
    return overview.spans.map(({ start }) => start).find((start) => start > here()) ?? last;
  }

  function onkey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === slider || event.target.tagName === "SELECT") return;
    if (event.key === "/") {
      event.preventDefault();
      event.stopPropagation();
      search.focus();
      return;
    }
    if (annotate && event.key === "a") toggleMarking();
    if (annotate && (event.key === "a" || annotation.key(event.key))) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const moves = { ArrowLeft: () => here() - 1, ArrowRight: () => here() + 1, PageUp: spanBefore, PageDown: spanAfter, Home: () => 0, End: () => last };
    if (!(event.key in moves)) return;
    event.preventDefault();
    event.stopPropagation();
    go(moves[event.key]());
  }

  function toggleMarking() {
    annotation.toggle();
    drawMarks();
    annotate.setAttribute("aria-pressed", String(annotation.isOpen()));
  }

  function togglePlay() {
    if (playing) stop();
    else if (overview.turns) {
      if (here() === last) go(0);
      playing = setInterval(() => (here() < last ? go(here() + 1) : stop()), PLAY_EVERY);
    }
    play.replaceChildren(icon(playing ? "pause" : "play"));
    play.setAttribute("aria-pressed", String(Boolean(playing)));
  }

  function stop() {
    clearInterval(playing);
    playing = null;
    play.replaceChildren(icon("play"));
    play.setAttribute("aria-pressed", "false");
  }

  function showFound(text, turns) {
    transcript.find(text, turns);
    curve.showFound(turns);
  }

  // The knob stands below the cursor of the curve: the ends of its way are the first and the last turn.
  function alignSlider(left, right) {
    const knob = 6.5;
    slider.style.marginLeft = `${left - knob}px`;
    slider.style.width = `calc(100% - ${left + right - 2 * knob}px)`;
  }

  function drawPlace() {
    const position = here();
    counter.textContent = overview.turns ? `${whole(position)} / ${whole(last)}` : "no turns";
    slider.value = position;
    slider.setAttribute("aria-valuetext", `turn ${position} of ${last}`);
    curve.moveTo(position);
    transcript.mark({ position });
    transcript.scrollTo(position);
    annotation.draw();
    clearTimeout(late);
    if (model.get("_moment").position !== position) late = setTimeout(() => context.stale(true), 150);
  }

  function drawMoment() {
    clearTimeout(late);
    kernel.answered();
    const moment = model.get("_moment");
    context.stale(false);
    context.draw(moment);
    curve.show({ recent: moment.recent, recalled: moment.recalled });
    transcript.mark({
      at: moment.at ?? null, question: moment.question, recalled: new Set(moment.recalled), recent: new Set(moment.recent), condensed: new Set(moment.condensed),
    });
  }

  // Evidence is shown to who marks it; while one only reads it would give answers away.
  function drawMarks() {
    kernel.answered();
    const marks = model.get("_marks") ?? {};
    transcript.mark({ marks: marksByTurn(annotation.isOpen() ? marks : { ...marks, questions: [] }) });
    curve.showMine(marks.boundaries ?? []);
    key.firstChild.hidden = !marks.boundaries?.length;
    annotation.draw();
  }

  function drawError() {
    kernel.answered();
    showError(model.get("error"));
  }

  function showError(words) {
    error.textContent = words;
    error.hidden = !words;
  }

  const first = model.get("_first");
  curve.draw({
    label: "shift", values: floats(model.get("_curve")), turns: overview.turns, spans: overview.spans,
    marks: [{ kind: "boundary", name: "boundaries", at: overview.boundaries }, { kind: "gold", name: "gold", at: overview.gold }],
  });
  transcript.seed(first.number, first.rows);
  drawMoment();
  drawPlace();
  drawMarks();
  drawError();
  const bound = { "change:position": drawPlace, "change:_marks": drawMarks, "change:_moment": drawMoment, "change:error": drawError };
  for (const [event, handler] of Object.entries(bound)) model.on(event, handler);

  return () => {
    for (const [event, handler] of Object.entries(bound)) model.off(event, handler);
    stop();
    clearTimeout(late);
    kernel.dispose();
    ask.dispose();
    search.dispose();
    curve.dispose();
    transcript.dispose();
  };
}

export default { render };
