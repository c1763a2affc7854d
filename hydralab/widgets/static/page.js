// A page without a kernel: what Python would answer is in the page, packed.

function recordedModel(data) {
  const heard = new Map();
  const emit = (event, value) => (heard.get(event) ?? []).forEach((handler) => handler(value));
  const state = {
    position: data.position, question: data.question, error: "", _overview: data.overview, _curve: new DataView(bytesOf(data.curve).buffer),
    _first: blockOf(Math.floor(data.position / data.overview.block)),
  };
  const turnsAsked = Object.keys(data.prompts).filter((key) => /^-?\d+$/.test(key)).map(Number).sort((a, b) => a - b);
  const places = new Map(turnsAsked.flatMap((key) => Object.keys(data.prompts[key].places).map((turn) => [Number(turn), String(key)])));
  state._moment = momentHere();

  function recordHere() {
    return data.prompts[state.question || places.get(state.position)];
  }

  function momentHere() {
    const record = recordHere();
    if (record) return { ...record.moment, ...record.places[state.position] };
    const nothing = Object.fromEntries(["items", "parts", "scores", "recalled", "recent", "condensed", "asked"].map((name) => [name, []]));
    return { ...nothing, position: state.position, question: state.question, heading: `turn ${state.position}`, reason: data.note };
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

  function answerTo(question) {
    if (question.ask === "block") return blockOf(question.number);
    if (question.ask === "search") return search(question.text);
    if (question.ask === "misses") return data.misses;
    return recordHere()?.[question.ask] ?? { messages: [], lines: [], before: null };
  }

  return {
    get: (name) => state[name],
    set(next) {
      const changed = Object.keys(next).filter((name) => state[name] !== next[name]);
      Object.assign(state, next);
      changed.forEach((name) => emit(`change:${name}`));
    },
    save_changes() {
      state._moment = momentHere();
      emit("change:_moment");
    },
    on: (event, handler) => heard.set(event, [...(heard.get(event) ?? []), handler]),
    off: (event, handler) => heard.set(event, (heard.get(event) ?? []).filter((each) => each !== handler)),
    send: (question) => queueMicrotask(() => emit("msg:custom", { ...answerTo(question), id: question.id })),
  };
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

async function openPage() {
  const packed = bytesOf(document.getElementById("hl-data").textContent);
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  render({ model: recordedModel(await new Response(unpacked).json()), el: document.getElementById("hl-page") });
}

openPage();
