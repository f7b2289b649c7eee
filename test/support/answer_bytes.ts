/** Everything of an answer that could tell two apart: what differs in each answer, its date, request and tokens, is left out. */
export async function answerBytes(answer: Response): Promise<string> {
  const headers = [...answer.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  return JSON.stringify([answer.status, headers, withoutTokens(await answer.text())]);
}

/** CSRF tokens are masked anew for each page. */
const withoutTokens = (text: string): string =>
  text.replace(/((?:name="csrf-token" content|name="authenticity_token" value)=)"[^"]+"/g, '$1""');
