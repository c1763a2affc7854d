// What other thresholds of the first slider would give: a bar for the checkpoints, a line for the Score.

const SWEEP = { steps: 20, height: 92, top: 6, bottom: 16, left: 40, right: 20, atOnce: 4 };

function makeSweep({ ask, onpick }) {
  const root = svg("svg", { role: "img", height: SWEEP.top + SWEEP.height + SWEEP.bottom });
  const key = h("div", { class: "hl-sweep-key" });
  const el = h("div", { class: "hl-sweep", hidden: true }, key, root);
  let width = 0;
  let drawnFor = null;
  let axis = null;
  let rows = [];
  let threshold = null;

  // Everything that the rows depend on; while only the threshold moves they stay as they are.
  function madeOf({ controls, dialogue_id: dialogue, choices }) {
    if (!controls?.rules.length) return null;
    const [{ signal, operator }, ...others] = controls.rules;
    return JSON.stringify([dialogue, signal, operator, others, { ...controls, rules: [] }, choices.find(({ name }) => name === signal)]);
  }

  async function draw(result) {
    const wanted = madeOf(result);
    if (wanted === drawnFor) return;
    drawnFor = wanted;
    rows = [];
    el.hidden = !wanted;
    if (!wanted) return;
    const { signal } = result.controls.rules[0];
    const { low, high, step } = result.choices.find(({ name }) => name === signal) ?? { low: 0, high: 1, step: 0.01 };
    axis = { signal, low, high, step };
    const values = Array.from({ length: SWEEP.steps + 1 }, (_, number) => rounded(low + ((high - low) * number) / SWEEP.steps));
    for (let from = 0; from < values.length; from += SWEEP.atOnce) {
      const answer = await ask("sweep", { values: values.slice(from, from + SWEEP.atOnce) });
      if (drawnFor !== wanted) return;
      if (!answer) return;
      rows.push(...answer.rows);
    }
    redraw();
  }

  const rounded = (value) => Number((Math.round(value / axis.step) * axis.step).toFixed(6));
  const inner = () => Math.max(width - SWEEP.left - SWEEP.right, 1);
  const x = (value) => SWEEP.left + ((value - axis.low) / (axis.high - axis.low || 1)) * inner();
  const y = (share) => SWEEP.top + SWEEP.height * (1 - share);

  function redraw() {
    if (!width || !rows.length) return;
    root.setAttribute("viewBox", `0 0 ${width} ${SWEEP.top + SWEEP.height + SWEEP.bottom}`);
    const most = Math.max(...rows.map(({ checkpoints }) => checkpoints));
    const wide = Math.max(inner() / SWEEP.steps - 2, 1);
    const bars = rows.map((row) => svg("rect", { class: "hl-sweep-count", x: x(row.value) - wide / 2, width: wide, y: y(row.checkpoints / most), height: SWEEP.height * (row.checkpoints / most) }, svg("title", {}, spoken(row))));
    const scored = rows.filter(({ score: value }) => value !== null);
    const line = scored.length ? [svg("path", { class: "hl-sweep-score", d: scored.map((row, number) => `${number ? "L" : "M"}${x(row.value).toFixed(1)},${y(row.score).toFixed(1)}`).join("") })] : [];
    const base = svg("line", { class: "hl-sweep-base", x1: SWEEP.left, x2: width - SWEEP.right, y1: y(0), y2: y(0) });
    const ends = [axis.low, axis.high].map((value, number) => svg("text", { x: x(value), y: y(0) + 13, "text-anchor": number ? "end" : "start" }, tickText(value)));
    const heights = scored.length ? [0, 1].map((value) => svg("text", { x: SWEEP.left - 20, y: y(value) + (value ? 8 : 0), "text-anchor": "end" }, String(value))) : [];
    const rule = threshold === null ? [] : [svg("line", { class: "hl-threshold", x1: x(threshold), x2: x(threshold), y1: SWEEP.top, y2: y(0) })];
    root.replaceChildren(...bars, base, ...line, ...ends, ...heights, ...rule);
    const best = scored.length ? scored.reduce((one, other) => (other.score > one.score ? other : one)) : null;
    root.setAttribute("aria-label", `other thresholds of ${axis.signal}: ${rows.map(spoken).join("; ")}`);
    key.replaceChildren(
      h("span", {}, `other thresholds of ${axis.signal}`, best ? `, best Score ${score(best.score)} at ${tickText(best.value)}` : ""),
      h("span", {}, h("i", { style: "background: var(--hl-track)" }), `checkpoints, up to ${whole(most)}`, scored.length ? [h("i", { style: "background: var(--hl-boundary)" }), "Score"] : null),
    );
  }

  const spoken = (row) => `${tickText(row.value)}: ${row.checkpoints} checkpoints${row.score === null ? "" : `, Score ${score(row.score)}`}`;

  root.addEventListener("click", (event) => {
    if (!rows.length) return;
    const share = (event.clientX - root.getBoundingClientRect().left - SWEEP.left) / inner();
    onpick(rounded(axis.low + Math.min(Math.max(share, 0), 1) * (axis.high - axis.low)));
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
      threshold = result.threshold;
      if (madeOf(result) === drawnFor) redraw();
    },
    dispose: () => resized.disconnect(),
  };
}
