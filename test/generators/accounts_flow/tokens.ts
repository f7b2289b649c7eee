import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { assert } from "../../support/index.ts";
import type { Can } from "./people.ts";
import { robot, type World } from "./world.ts";

const run = promisify(execFile);
export const reasonForNoCurl = existsSync("/usr/bin/curl") ? undefined : "needs curl: apt-get install curl";

interface Answer {
  status: number;
  head: string;
  body: Record<string, unknown>;
}
/** What a script would do: the real curl. */
export async function curl(url: string, ...args: string[]): Promise<Answer> {
  const { stdout } = await run("curl", ["-sS", "-i", "--max-time", "20", ...args, url]);
  const [head = "", body = ""] = stdout.split("\r\n\r\n", 2);
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head,
    body: body === "" ? {} : (JSON.parse(body) as Record<string, unknown>),
  };
}
const json = ["-H", "Content-Type: application/json", "-H", "Accept: application/json"];
export const bearer = (token: unknown): string[] => ["-H", `Authorization: Bearer ${token}`, ...json];

export function logIn({ url }: World, sent: object = robot): Promise<Answer> {
  return curl(`${url}/api_users/login`, ...json, "-d", JSON.stringify(sent));
}

export function tellTokens(can: Can): void {
  const posts = (world: World) => `${world.url}/api/blogging/posts`;
  const refresh = ({ url }: World, refresh_token: unknown) =>
    curl(`${url}/api_users/jwt-refresh`, ...json, "-d", JSON.stringify({ refresh_token }));

  can(
    "A script signs in without a cookie and uses the API by its token, which is refused once altered",
    async (world) => {
      const { status, head, body } = await logIn(world);
      assert.is(status, 200);
      assert.not.match(head, /set-cookie/i);
      assert.equal(Object.keys(body).sort(), ["access_token", "refresh_token"]);
      const stranger = await curl(posts(world), ...json);
      assert.is(stranger.status, 401);
      assert.match(stranger.head, /content-type: application\/problem\+json/i);
      assert.match(stranger.head, /www-authenticate: Bearer realm="api_users"\r?$/im);
      const own = bearer(body.access_token);
      const made = await curl(posts(world), ...own, "-d", '{"blogging_post":{"title":"By a robot"}}');
      assert.is(made.status, 201, JSON.stringify(made.body));
      const list = await curl(posts(world), ...own);
      assert.is(list.status, 200);
      assert.match(JSON.stringify(list.body.data), "By a robot");
      const refused = await curl(posts(world), ...own, "-d", '{"blogging_post":{"title":""}}');
      assert.is(refused.status, 422);
      assert.ok((refused.body.errors as Record<string, unknown>).title);
      const wrong = await curl(posts(world), ...bearer(`${String(body.access_token).slice(0, -4)}AAAA`));
      assert.is(wrong.status, 401);
      assert.match(wrong.head, 'error="invalid_token"');
    },
  );

  can(
    "A refresh token may be retried once; a further use ends its family, and logging out ends the tokens",
    async (world) => {
      const { body: first } = await logIn(world);
      const second = await refresh(world, first.refresh_token);
      assert.is(second.status, 200);
      assert.is((await curl(posts(world), ...bearer(second.body.access_token))).status, 200);
      const graced = await refresh(world, first.refresh_token); // two tabs at once: once more, within ten seconds
      assert.is(graced.body.refresh_token, second.body.refresh_token);
      assert.is((await refresh(world, first.refresh_token)).status, 401);
      assert.is((await refresh(world, second.body.refresh_token)).status, 401);
      for (const { body } of [second, graced])
        assert.is((await curl(posts(world), ...bearer(body.access_token))).status, 401);
      const { body: other } = await logIn(world);
      const out = await curl(`${world.url}/api_users/logout`, ...bearer(other.access_token), "-X", "POST");
      assert.is(out.status, 200);
      assert.is((await curl(posts(world), ...bearer(other.access_token))).status, 401);
      assert.is((await refresh(world, other.refresh_token)).status, 401);
      assert.is((await refresh(world, 7)).status, 422);
    },
  );
}

export function tellRefusals(can: Can): void {
  can(
    "A JSON login answers 401 to a wrong password, 422 to malformed fields, and 429 with Retry-After to many tries",
    async (world) => {
      assert.is((await logIn(world, { ...robot, password: "wrong" })).status, 401);
      const { status, body } = await logIn(world, { login: robot.login });
      assert.is(status, 422);
      assert.ok((body.errors as Record<string, unknown>).password);
      assert.is((await logIn(world, { login: 7, password: ["x"] })).status, 422);
      const statuses = new Set<number>();
      let last: Answer | undefined;
      for (let tries = 0; tries < 11; tries++) {
        last = await logIn(world, { login: "guessed@example.test", password: "wrong" });
        statuses.add(last.status);
      }
      assert.equal([...statuses], [401, 429]);
      assert.match(last!.head, /retry-after: \d+/i);
    },
  );
}
