// The AttentionExplorer's page: measures by layer, head and word; shades by layer and head.

function attentionModel(data) {
  const { overview } = data;

  function resultOf(pick) {
    const whole = overview.whole.includes(pick.measure);
    const [layer, head, word] = whole ? [-1, -1, -1] : [pick.layer, pick.head, pick.word];
    const measured = data.measures[`${layer} ${head} ${word}`]?.[pick.measure];
    const looked = data.texts[`${pick.layer} ${pick.head}`];
    if (!measured || !looked) return null;
    const sides = measured.sides.map((side, number) => {
      const { texts, ...looks } = looked[number];
      const shades = texts[pick.item];
      return { ...side, ...looks, text: shades ? { ...shades, pieces: data.pieces[number][pick.item] } : null };
    });
    return { pick, scale: measured.scale, sides };
  }

  let shown = data.pick;

  function settle({ measure, layer, head, item, word }) {
    const pick = { measure, layer, head, item, word };
    const result = resultOf(pick);
    if (!result) return { ...shown, error: "this page doesn't hold that word, layer and head together: choose fewer of them", _result: { ...state._result } };
    shown = pick;
    return { error: "", _result: result };
  }

  const state = { ...data.pick, error: "", _overview: overview, _result: data.now };
  return recordedModel(state, { settle });
}

openPage(attentionModel);
