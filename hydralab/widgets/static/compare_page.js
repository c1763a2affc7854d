// Compare's page: the prompts of all runs by the place they were asked at; those that are chosen are shown.

function compareModel(data) {
  const turnsAsked = Object.keys(data.prompts).filter((key) => /^-?\d+$/.test(key));
  const places = new Map(turnsAsked.flatMap((key) => Object.keys(data.prompts[key].places).map((turn) => [Number(turn), key])));

  function momentOf({ position, question, shown }) {
    const record = data.prompts[question || places.get(position)];
    if (!record) return { position, question, heading: data.note, said: { text: "" }, columns: [] };
    const place = record.places[position];
    const columns = place.columns.map((column, number) => ({ ...record.moment.columns[number], ...column })).filter(({ run }) => shown.includes(run));
    return { ...place, columns };
  }

  const { position, question, shown, overview } = data;
  const state = { position, question, shown, error: "", _overview: overview, _moment: momentOf(data) };
  return recordedModel(state, {
    settle: (now) => ({ _moment: momentOf(now) }),
    answerTo: () => ({ rows: data.losses, next: null }),
  });
}

openPage(compareModel);
