// The RecallLab's page: candidates and prompt by blend and by query or gold question.

function recalllabModel(data) {
  let [blend, query] = data.first.split("\n", 2);

  function resultOf() {
    const { messages, ...told } = data.told[`${blend}\n${query}`];
    return { ...data.stays, ...told, question: query, questions: data.queries, dialogues: [[data.stays.dialogue_id, data.stays.dialogue]], blends: data.blends.filter(Boolean) };
  }

  function settle({ _edit: edit }) {
    const wanted = { blend: edit.sliders?.blend ?? blend, query: edit.question ?? query };
    if (!data.told[`${wanted.blend}\n${wanted.query}`]) return { _answered: edit.serial, error: "this query is not on this page with that blend" };
    ({ blend, query } = wanted);
    const result = resultOf();
    return { _answered: edit.serial, error: "", query: result.query, _result: result };
  }

  const state = { query: "", error: "", _answered: 0, _edit: {}, _result: resultOf(), _page: { missing: data.missing } };
  return recordedModel(state, { settle, answerTo: () => ({ messages: data.told[`${blend}\n${query}`].messages }) });
}

openPage(recalllabModel);
