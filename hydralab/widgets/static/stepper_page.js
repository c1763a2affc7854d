// The Stepper's page: prompts by the place they were asked at, the transcript in blocks.

function stepperModel(data) {
  const turnsAsked = Object.keys(data.prompts).filter((key) => /^-?\d+$/.test(key)).map(Number).sort((a, b) => a - b);
  const places = new Map(turnsAsked.flatMap((key) => Object.keys(data.prompts[key].places).map((turn) => [Number(turn), String(key)])));
  const recordOf = ({ position, question }) => data.prompts[question || places.get(position)];

  function momentOf({ position, question }) {
    const record = recordOf({ position, question });
    if (record) return { ...record.moment, ...record.places[position] };
    const nothing = Object.fromEntries(["items", "parts", "scores", "recalled", "recent", "condensed", "asked"].map((name) => [name, []]));
    return { ...nothing, position, question, heading: `turn ${position}`, reason: data.note };
  }

  function blockOf(number) {
    const { block, turns, lengths } = data.overview;
    const rows = data.blocks[number] ?? lengths.slice(number * block, Math.min((number + 1) * block, turns)).map((_, at) => ({
      position: number * block + at, role: "", speaker: "", tokens: 0, text: "not on this page", cut: 0,
    }));
    return { number, rows };
  }

  const plain = (text) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

  function search(text) {
    const rows = Object.entries(data.blocks).sort(([a], [b]) => a - b).flatMap(([, block]) => block);
    return { found: rows.filter((row) => plain(row.text).includes(plain(text))).map(({ position }) => position), more: 0 };
  }

  const state = {
    position: data.position, question: data.question, error: "", _overview: data.overview, _curve: new DataView(bytesOf(data.curve).buffer),
    _first: blockOf(Math.floor(data.position / data.overview.block)), _moment: momentOf(data),
  };
  return recordedModel(state, {
    settle: (now) => ({ _moment: momentOf(now) }),
    answerTo(question) {
      if (question.ask === "block") return blockOf(question.number);
      if (question.ask === "search") return search(question.text);
      if (question.ask === "misses") return data.misses;
      return recordOf(state)?.[question.ask] ?? { messages: [], lines: [], before: null };
    },
  });
}

openPage(stepperModel);
