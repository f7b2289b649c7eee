import { assert } from "../support/index.ts";
import { failuresOf, type Walked, walk } from "./pull_walk.ts";
import { connectAll, type PulledApp } from "./pulled_app.ts";
import { fwOk, typeCheck } from "./support.ts";

/** What a published database is served with, without a line by hand: it compiles, boots, and each page of it answers. Returns what was seen. */
export async function serveAll(
  app: PulledApp,
  url: string,
  expected: readonly string[],
  account = "user",
): Promise<Walked> {
  await connectAll(app, account);
  const { code, out } = await typeCheck(app.root);
  assert.is(code, 0, out);
  await fwOk(app.root, "doctor");
  await fwOk(app.root, "policies", "--write");
  await fwOk(app.root, "policies", "--check");
  const walked = await walk(app.root, url, account);
  assert.equal(failuresOf(walked).map(shortened), expected);
  assert.equal(Object.keys(walked.resources).sort(), [...app.constants].sort());
  return walked;
}

/** What was answered, without the text of its page. */
const shortened = (failure: string): string => failure.replace(/(?<=: \d{3}) .*$/s, "");
