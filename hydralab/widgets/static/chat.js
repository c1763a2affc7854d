// The Chat: what is said, what is remembered, and what the model saw.

function render({ model, el }) {
  const kernel = kernelWatch(showError);
  const ask = asker(model, kernel);
  const page = model.get("_page");
  const memory = makeMemory({ act, page });
  const context = makeContext({ ask, tabs: ["items", "prompt"], onturn: showTurn });
  const turnNodes = new Map();
  let sending = "";
  let shownTurns = "";

  const title = h("div", { class: "hl-title" });
  const status = h("span", { class: "hl-muted", "aria-live": "polite" });
  const earlier = h("p", { class: "hl-muted", hidden: true });
  const list = h("div", { class: "hl-said", role: "log", "aria-label": "conversation", tabindex: 0 });
  const growing = h("div", { class: "hl-turn hl-turn-assistant", hidden: true });
  const message = h("textarea", { rows: 2, "aria-label": "message", placeholder: "a message, or /checkpoint title", dir: "auto", disabled: Boolean(page), onkeydown: keyed });
  const go = h("button", { type: "button", class: "hl-go", disabled: Boolean(page), onclick: say }, "send");
  const stop = h("button", { type: "button", class: "hl-go", hidden: true, onclick: () => act({ do: "stop" }) }, "stop");
  const error = h("div", { class: "hl-error", role: "alert", hidden: true });
  const talk = h("section", { class: "hl-talk", "aria-label": "chat" }, list, h("div", { class: "hl-write" }, message, go, stop));
  const root = h(
    "div",
    { class: "hl-view hl-chat", "aria-label": "chat with a memory" },
    h("header", { class: "hl-head" }, title, status), error,
    h("div", { class: "hl-columns" }, talk, h("div", { class: "hl-beside" }, memory.el, context.el)),
  );
  el.append(root);

  const state = () => model.get("_state");

  function act(wanted) {
    model.send(wanted);
    kernel.asked();
  }

  function say() {
    const text = message.value;
    if (!text.trim() || sending || state().busy) return;
    sending = text;
    message.value = "";
    act({ do: "say", text });
    drawTurns();
    drawBusy();
  }

  // JupyterLab must not take Enter or Escape for its own while one writes.
  function keyed(event) {
    event.stopPropagation();
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      say();
    }
    if (event.key === "Escape" && (sending || state().busy)) act({ do: "stop" });
  }

  function drawHead() {
    const { dialogue, model: name, strategy, turns, earlier: more } = state();
    title.replaceChildren(h("b", { dir: "auto" }, dialogue), h("span", { class: "hl-muted" }, `${name} · ${strategy}`));
    earlier.hidden = !more;
    earlier.textContent = `${whole(more)} earlier turns are in agent.turns`;
    status.textContent = page ? "saved: no kernel answers here" : `${whole(more + turns.length)} turns`;
  }

  function drawTurns() {
    const { turns, reply_to: replyTo } = state();
    const last = turns[turns.length - 1];
    if (sending && turns.some((turn) => turn.role === "user" && turn.text === sending && turn.position >= (last?.position ?? 0) - 1)) sending = "";
    const told = JSON.stringify([turns, replyTo, sending]);
    if (told === shownTurns) return;
    shownTurns = told;
    const atEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 40;
    turnNodes.clear();
    for (const turn of turns) turnNodes.set(turn.position, turnNode(turn, replyTo));
    const waiting = sending ? [h("div", { class: "hl-turn hl-turn-user hl-waiting", dir: "auto" }, sending)] : [];
    const nodes = turns.length || sending ? [...turnNodes.values(), ...waiting] : [note("say something: the conversation is kept as it goes")];
    list.replaceChildren(earlier, ...nodes, growing);
    if (atEnd || sending) list.scrollTop = list.scrollHeight;
  }

  function turnNode({ id, position, role, text, cut, cut_reply: brokenOff, seen, tokens }, replyTo) {
    const foot = [h("span", {}, `turn ${position} · ${whole(tokens)} tokens`), brokenOff ? h("span", { class: "hl-badge" }, "cut") : null];
    if (role === "user" && seen) {
      const shown = id === replyTo;
      foot.push(h("button", { type: "button", class: "hl-link", "aria-pressed": String(shown), "aria-label": `what the model saw at turn ${position}`, onclick: () => act({ do: "look", turn: shown ? "" : id }) }, "what the model saw"));
    }
    return h("div", { class: `hl-turn hl-turn-${role}`, "data-turn": position },
      h("div", { class: "hl-turn-text", dir: "auto" }, text, cut ? ` … ${whole(cut)} more characters` : ""), h("div", { class: "hl-turn-foot" }, foot));
  }

  function showTurn(position) {
    const node = turnNodes.get(position);
    if (!node) return;
    keepInside(list, node);
    node.classList.add("hl-found-turn");
    setTimeout(() => node.classList.remove("hl-found-turn"), 1200);
  }

  function drawSaid() {
    const said = model.get("_said");
    const atEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 60;
    growing.hidden = !said;
    growing.replaceChildren(h("div", { class: "hl-turn-text", dir: "auto" }, said));
    if (said && atEnd) list.scrollTop = list.scrollHeight;
    if (said) kernel.answered();
  }

  function drawBusy() {
    const busy = Boolean(sending) || state().busy;
    go.hidden = busy;
    stop.hidden = !busy;
    talk.setAttribute("aria-busy", String(busy));
  }

  function drawState() {
    kernel.answered();
    drawHead();
    drawTurns();
    drawBusy();
    memory.draw(state().items);
    context.draw(state().moment);
  }

  function drawError() {
    const words = model.get("error");
    showError(words);
    if (!words || !sending) return;
    // What could not be said goes back to where it can be changed.
    message.value ||= sending;
    sending = "";
    drawState();
  }

  function showError(words) {
    error.textContent = words;
    error.hidden = !words;
  }

  drawState();
  drawSaid();
  drawError();
  const laidOut = new ResizeObserver(() => {
    if (!list.clientHeight) return;
    list.scrollTop = list.scrollHeight;
    laidOut.disconnect();
  });
  laidOut.observe(list);
  const bound = { "change:_state": drawState, "change:_said": drawSaid, "change:error": drawError };
  for (const [event, handler] of Object.entries(bound)) model.on(event, handler);

  return () => {
    for (const [event, handler] of Object.entries(bound)) model.off(event, handler);
    laidOut.disconnect();
    kernel.dispose();
    ask.dispose();
  };
}

export default { render };
