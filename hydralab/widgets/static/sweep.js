// What other values of a parameter would give: Score and evidence as lines, below them checkpoints as bars and tokens.

const SWEEP = { shares: 74, gap: 8, counts: 40, top: 6, bottom: 16, left: 26, right: 12, atOnce: 4 };
const TALL = SWEEP.top + SWEEP.shares + SWEEP.gap + SWEEP.counts + SWEEP.bottom;
const PASSING = 700;

function makeSweep({ ask, onpick, page }) {
  const root = svg("svg", { role: "img", height: TALL });
  const select = h("select", { "aria-label": "parameter of the sweep", onchange: () => show(select.value) });
  const best = h("span", { class: "hl-muted" });
  const key = h("div", { class: "hl-sweep-key" });
  const run = h("button", { type: "button", class: "hl-sweep-run", onclick: toggle }, "evidence");
  const progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "evidence of gold questions, done" });
  const told = h("span", { class: "hl-muted", "aria-live": "polite" });
  const el = h("div", { class: "hl-sweep", hidden: true }, h("div", { class: "hl-sweep-head" }, h("span", {}, "sweep"), select, best), root, key, h("div", { class: "hl-sweep-head" }, run, progress, told));
  let width = 0;
  let drawnFor = null;
  let parameter = null;
  let name = "threshold 0";
  let rows = [];
  let latest = null;
  let running = 0;

  // Everything that the rows depend on; while only the swept value moves they stay as they are.
  function madeOf(result, { name: swept }) {
    const rules = result.controls.rules.map((rule, at) => (`threshold ${at}` === swept ? { ...rule, value: null } : rule));
    return JSON.stringify([result.dialogue_id, result.annotator, swept, parameter.values, { ...result.controls, rules, [swept]: null }]);
  }

  function draw(result) {
    latest = result;
    el.hidden = !result.parameters.length;
    run.hidden = !result.asked || Boolean(page);
    parameter = result.parameters.find((each) => each.name === name) ?? result.parameters[0] ?? null;
    if (!parameter) {
      drawnFor = null;
      return;
    }
    const options = result.parameters.map((each) => h("option", { value: each.name, selected: each === parameter }, each.words));
    if (document.activeElement !== select) select.replaceChildren(...options);
    run.title = `share of the evidence of ${whole(result.asked)} gold questions that stands in prompts of ${whole(result.budget)} tokens made with these checkpoints`;
    load();
  }

  async function load() {
    const wanted = madeOf(latest, parameter);
    if (wanted === drawnFor) {
      redraw();
      return;
    }
    stop();
    told.textContent = "";
    drawnFor = wanted;
    rows = [];
    const { values } = parameter;
    for (let from = 0; from < values.length; from += SWEEP.atOnce) {
      const answer = await ask("sweep", { parameter: parameter.name, values: values.slice(from, from + SWEEP.atOnce) });
      if (drawnFor !== wanted || !answer) return;
      rows.push(...answer.rows);
    }
    redraw();
  }

  function show(next) {
    name = next;
    draw(latest);
  }

  function toggle() {
    if (running) stop("stopped: what is done stays");
    else lookForEvidence();
  }

  function stop(words = "") {
    running = 0;
    run.textContent = "evidence";
    run.setAttribute("aria-pressed", "false");
    progress.hidden = true;
    if (words) told.textContent = words;
  }

  // From the coarsest to the finest: the figure has its shape early, whenever it is stopped.
  async function lookForEvidence() {
    const [mine, wanted] = [Date.now(), drawnFor];
    running = mine;
    run.textContent = "stop";
    run.setAttribute("aria-pressed", "true");
    progress.hidden = false;
    const left = coarseFirst(rows.length).filter((at) => rows[at].evidence === null);
    let drawn = 0;
    for (const [number, at] of left.entries()) {
      for (let done = 0; done < 1; ) {
        const answer = await ask("evidence", { parameter: parameter.name, value: rows[at].value });
        if (running !== mine) return;
        if (drawnFor !== wanted || !answer) {
          stop(answer ? "" : "not done: the reason is above");
          return;
        }
        ({ done } = answer.row);
        if (done >= 1) rows[at] = answer.row;
        progress.value = (number + done) / left.length;
        told.textContent = `value ${number + 1} of ${left.length}`;
      }
      if (Date.now() - drawn > PASSING) {
        drawn = Date.now();
        redraw();
      }
    }
    stop(" ");
    redraw();
  }

  const inner = () => Math.max(width - SWEEP.left - SWEEP.right, 1);
  const span = () => parameter.high - parameter.low || 1;
  const x = (value) => SWEEP.left + ((value - parameter.low) / span()) * inner();
  const yShare = (share) => SWEEP.top + SWEEP.shares * (1 - share);
  const foot = SWEEP.top + SWEEP.shares + SWEEP.gap + SWEEP.counts;
  const yCount = (share) => foot - SWEEP.counts * share;

  function redraw() {
    if (!width || !rows.length) return;
    root.setAttribute("viewBox", `0 0 ${width} ${TALL}`);
    const most = Math.max(...rows.map(({ checkpoints }) => checkpoints));
    const longest = Math.max(...rows.map(({ tokens }) => tokens), 1);
    const wide = Math.max(Math.min(inner() / rows.length - 2, 16), 1);
    const bars = rows.map((row) => svg("rect", { class: "hl-sweep-count", x: x(row.value) - wide / 2, width: wide, y: yCount(row.checkpoints / most), height: foot - yCount(row.checkpoints / most) }));
    const lines = [["score", "hl-sweep-score", yShare], ["evidence", "hl-sweep-evidence", yShare], ["tokens", "hl-sweep-tokens", (tokens) => yCount(tokens / longest)]].flatMap(([of, kind, y]) => lineOf(of, kind, y));
    const rules = [yShare(0), foot].map((y) => svg("line", { class: "hl-sweep-base", x1: SWEEP.left, x2: width - SWEEP.right, y1: y, y2: y }));
    const ends = [parameter.low, parameter.high].map((value, end) => svg("text", { x: x(value), y: foot + 13, "text-anchor": end ? "end" : "start" }, tickText(value)));
    const known = { scored: rows.some(({ score: value }) => value !== null), asked: rows.some(({ evidence }) => evidence !== null) };
    const heights = known.scored || known.asked ? [0, 1].map((value) => svg("text", { x: SWEEP.left - 6, y: yShare(value) + (value ? 8 : 0), "text-anchor": "end" }, String(value))) : [];
    const now = parameter.value === null ? [] : [svg("line", { class: "hl-threshold", x1: x(parameter.value), x2: x(parameter.value), y1: SWEEP.top, y2: foot })];
    const hits = rows.map((row) => svg("rect", { class: "hl-sweep-hit", x: x(row.value) - inner() / rows.length / 2, width: inner() / rows.length, y: SWEEP.top, height: foot - SWEEP.top }, svg("title", {}, spoken(row))));
    root.replaceChildren(...bars, ...rules, ...lines, ...ends, ...heights, ...now, ...hits);
    root.setAttribute("aria-label", `sweep of ${parameter.words.replace("threshold of ", "")}: ${rows.map(spoken).join("; ")}`);
    best.textContent = [bestOf("score", "Score"), bestOf("evidence", "evidence")].filter(Boolean).join(" · ");
    key.replaceChildren(...legendOf(known, most, longest));
  }

  function lineOf(of, kind, y) {
    const known = rows.filter((row) => row[of] !== null);
    const d = known.map((row, number) => `${number ? "L" : "M"}${x(row.value).toFixed(1)},${y(row[of]).toFixed(1)}`).join("");
    const dots = of === "evidence" ? known.map((row) => svg("circle", { class: `${kind}-dot`, cx: x(row.value), cy: y(row[of]), r: 2.4 })) : [];
    return known.length ? [svg("path", { class: kind, d }), ...dots] : [];
  }

  function bestOf(of, words) {
    const known = rows.filter((row) => row[of] !== null);
    if (!known.length) return "";
    const found = known.reduce((one, other) => (other[of] > one[of] ? other : one));
    return `best ${words} ${score(found[of])} at ${tickText(found.value)}`;
  }

  function legendOf({ scored, asked }, most, longest) {
    const named = [["count", `checkpoints, up to ${whole(most)}`], ["tokens", `tokens a span, up to ${whole(Math.round(longest))}`], ...(scored ? [["score", "Score"]] : []), ...(asked ? [["evidence", "evidence in the prompt"]] : [])];
    return named.map(([kind, words]) => h("span", {}, h("i", { class: `hl-key-${kind}` }), words));
  }

  const spoken = (row) => [
    `${tickText(row.value)}: ${row.checkpoints} checkpoints`, `${whole(Math.round(row.tokens))} tokens a span`, row.score === null ? "" : `Score ${score(row.score)}`,
    row.evidence === null ? "" : `evidence ${score(row.evidence)} in prompts of ${whole(Math.round(row.prompt_tokens))} tokens`,
  ].filter(Boolean).join(", ");

  root.addEventListener("click", (event) => {
    if (!rows.length) return;
    const share = (event.clientX - root.getBoundingClientRect().left - SWEEP.left) / inner();
    const wanted = parameter.low + Math.min(Math.max(share, 0), 1) * span();
    onpick(parameter.name, rows.reduce((one, other) => (Math.abs(other.value - wanted) < Math.abs(one.value - wanted) ? other : one)).value);
  });
  const resized = new ResizeObserver(([entry]) => {
    width = Math.floor(entry.contentRect.width);
    redraw();
  });
  resized.observe(el);

  return {
    el,
    draw,
    move(result) {
      const next = result.parameters.find((each) => each.name === parameter?.name);
      if (!next || !drawnFor) return;
      latest = result;
      parameter = next;
      if (madeOf(result, next) === drawnFor) redraw();
    },
    dispose() {
      running = 0;
      drawnFor = null;
      resized.disconnect();
    },
  };
}

// 0 … count − 1: both ends, the middle, then ever finer.
function coarseFirst(count) {
  const order = [];
  for (let step = 2 ** Math.ceil(Math.log2(Math.max(count, 2))); step >= 1; step /= 2) {
    for (let at = 0; at < count; at += step) if (!order.includes(at)) order.push(at);
    if (step > 1 && !order.includes(count - 1)) order.push(count - 1);
  }
  return order;
}
