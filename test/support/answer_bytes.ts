/** Everything of an answer that could tell two apart; of what is random in each answer, its tokens and its session, the length. */
export async function answerBytes(answer: Response): Promise<string> {
  const headers = [...answer.headers]
    .filter(([name]) => !["date", "x-request-id"].includes(name))
    .map(([name, value]) => [name, name === "set-cookie" ? masked(value, /=([^;]+)/g) : value]);
  const body = masked(await answer.text(), /(?:name="csrf-token" content|name="authenticity_token" value)="([^"]+)"/g);
  return JSON.stringify([answer.status, headers, body]);
}

const masked = (text: string, random: RegExp): string =>
  text.replace(random, (all, value: string) => all.replace(value, `(${value.length})`));
