// A page without a kernel: what Python would answer is in the page, packed.

// A model that holds `state`. `settle` follows what a view has changed and returns what else is new by it;
// `answerTo` answers what a view asks.
function recordedModel(state, { settle = () => ({}), answerTo = () => ({}) }) {
  const heard = new Map();
  const emit = (event, value) => (heard.get(event) ?? []).forEach((handler) => handler(value));
  function take(next) {
    const changed = Object.keys(next).filter((name) => state[name] !== next[name]);
    Object.assign(state, next);
    changed.forEach((name) => emit(`change:${name}`));
  }
  return {
    get: (name) => state[name],
    set: (name, value) => take(typeof name === "string" ? { [name]: value } : name),
    save_changes: () => take(settle(state)),
    on: (event, handler) => heard.set(event, [...(heard.get(event) ?? []), handler]),
    off: (event, handler) => heard.set(event, (heard.get(event) ?? []).filter((each) => each !== handler)),
    send: (question) => queueMicrotask(() => emit("msg:custom", { ...answerTo(question), id: question.id })),
  };
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

async function openPage(modelOf) {
  const packed = bytesOf(document.getElementById("hl-data").textContent);
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { texts, told } = await new Response(unpacked).json();
  const model = modelOf(revived(told, texts));
  render({ model, el: document.getElementById("hl-page") });
}

// Long texts stand once in a page, with their numbers behind a NUL in their places.
function revived(value, texts) {
  if (typeof value === "string") return value[0] === "\0" ? texts[Number(value.slice(1))] : value;
  if (Array.isArray(value)) return value.map((each) => revived(each, texts));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revived(each, texts)]));
}
