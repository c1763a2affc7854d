// The TriggerLab's page: a grid of thresholds of the first signal and of shortest spans, and sweeps along it.

function triggerlabModel(data) {
  const { result, thresholds, shortest, grid } = data;
  const titles = new Map(data.titles.map(({ start, end, title }) => [`${start}-${end}`, title]));
  const sums = data.tokens.reduce((all, tokens) => [...all, all[all.length - 1] + tokens], [0]);
  const nearest = (values, wanted) => values.reduce((best, value, at) => (Math.abs(value - wanted) < Math.abs(values[best] - wanted) ? at : best), 0);
  const cellOf = (threshold, least) => grid[`${nearest(thresholds, threshold)} ${shortest[nearest(shortest, least)]}`];
  let serial = 0;

  function spansOf(starts) {
    return starts.map((start, number) => {
      const end = (starts[number + 1] ?? result.turns) - 1;
      return { start, end, tokens: sums[end + 1] - sums[start], title: "", status: number === starts.length - 1 ? "open" : "ready" };
    });
  }

  function resultOf(cell, before, kept) {
    const others = result.scores.filter(({ name }) => name !== "this trigger" && name !== "the one before" && name !== "the kept one");
    const scores = cell.scores ? [{ name: "this trigger", scores: cell.scores }, ...(before.scores ? [{ name: kept ? "the kept one" : "the one before", scores: before.scores }] : []), ...others] : [];
    const { text, controls, boundaries, fired } = cell;
    return { ...result, text, controls, boundaries, fired, previous: before.boundaries, kept, threshold: controls.rules[0]?.value ?? null, scores, spans: spansOf(cell.starts) };
  }

  const start = { text: result.text, controls: result.controls, boundaries: result.boundaries, starts: result.spans.map((span) => span.start), scores: result.scores[0]?.scores ?? null, fired: result.fired };
  let [cell, before, kept] = [start, { boundaries: result.previous, scores: null }, false];

  function settle({ _edit: edit }) {
    if (!edit || edit.serial === serial) return {};
    serial = edit.serial;
    if (!edit.controls || !thresholds.length) return { _answered: serial };
    const next = cellOf(edit.controls.rules[0]?.value ?? 0, edit.controls.min_turns);
    if (!next) return { _answered: serial, error: "this trigger is not on this page" };
    if (!edit.keep_previous && !kept) before = cell;
    cell = next;
    return { _answered: serial, error: "", text: cell.text, _result: resultOf(cell, before, kept) };
  }

  // A sweep goes along the grid where it can; what evidence was known is told where the page began.
  function swept({ parameter, values }) {
    const known = new Map(data.swept[parameter].map((row) => [row.value, row]));
    const here = cell === start ? (value) => known.get(value) : () => undefined;
    const rows = values.flatMap((value) => {
      const { rules, min_turns: least } = cell.controls;
      const cells = { "threshold 0": () => cellOf(value, least), min_turns: () => cellOf(rules[0]?.value ?? 0, value) };
      const found = cells[parameter]?.();
      if (here(value)) return [here(value)];
      return found ? [{ value, checkpoints: found.starts.length, tokens: sums[result.turns] / found.starts.length, score: found.scores?.Score ?? null, evidence: null, prompt_tokens: null }] : [];
    });
    return { rows };
  }

  function peek({ position }) {
    const from = Math.max(position - 2, 0);
    const rows = [0, 1, 2, 3].map((each) => from + each).filter((at) => data.texts[at]).map((at) => ({ position: at, ...data.texts[at] }));
    return { position, rows };
  }

  function keep({ on }) {
    kept = on;
    before = on ? cell : { boundaries: [], scores: null };
    model.set({ _result: resultOf(cell, before, kept) });
    return {};
  }

  const words = ({ start: at }) => (data.texts[at]?.text ?? "").split(/\s+/).join(" ").slice(0, 60);
  const answers = {
    titles: ({ spans }) => ({ titles: spans.map(([from, end]) => ({ start: from, end, title: titles.get(`${from}-${end}`) ?? words({ start: from }) })) }),
    sweep: swept, peek, keep,
  };
  const page = { thresholds, shortest };
  const state = { text: result.text, error: "", _answered: 0, _edit: {}, _result: result, _curve: new DataView(bytesOf(data.curve).buffer), _page: page };
  const model = recordedModel(state, { settle, answerTo: (question) => answers[question.ask]?.(question) ?? { error: "not on this page" } });
  return model;
}

openPage(triggerlabModel);
