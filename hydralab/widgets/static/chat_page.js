// The Chat's page: the conversation, and the prompts that the page holds.

function chatModel({ state: told, moments }) {
  const nothing = { ...told.moment, items: [], parts: [], heading: "", reason: "this prompt is not on this page" };
  const turns = told.turns.map((turn) => ({ ...turn, seen: turn.id in moments }));
  const newest = turns.filter(({ seen }) => seen).pop()?.id;

  function stateOf(turn) {
    const moment = turn in moments || newest ? moments[turn || newest]?.moment : told.moment;
    return { ...told, turns, busy: false, reply_to: turn, moment: moment ?? nothing };
  }

  const state = { _page: true, _state: stateOf(told.reply_to in moments ? told.reply_to : ""), _said: "", error: "" };
  const model = recordedModel(state, {
    answerTo: () => ({ messages: moments[state._state.reply_to || newest]?.messages ?? [] }),
  });
  const ask = model.send;
  return { ...model, send: (wanted) => (wanted.do === "look" ? model.set("_state", stateOf(wanted.turn)) : ask(wanted)) };
}

openPage(chatModel);
