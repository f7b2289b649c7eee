import { Agent, request } from "node:http";

export const AUTHORS = 100;
const agent = new Agent({ keepAlive: true, maxSockets: 20 });
const form = { "content-type": "application/x-www-form-urlencoded" };

interface Ask {
  path: string;
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

/** Sends one request; gives how long it took. @throws when it is not answered as it should be */
export function send(url: string, { path, status, body, headers = {} }: Ask): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const sent = request(url + path, {
      agent,
      method,
      headers: body === undefined ? headers : { ...headers, "content-length": Buffer.byteLength(body) },
    });
    sent.once("error", reject).once("response", (answer) => {
      answer.resume().once("error", reject);
      answer.once("end", () => {
        if (answer.statusCode === status) resolve(performance.now() - start);
        else reject(new Error(`${method} ${path} was answered with ${answer.statusCode}, not ${status}.`));
      });
    });
    sent.end(body);
  });
}

/** The form of a new post as a visitor is shown it: the cookie, and the body that sends it. */
async function openForm(url: string): Promise<{ cookie: string; body: string }> {
  const answer = await fetch(`${url}/admin/posts/new`);
  const token = /name="authenticity_token" value="([^"]+)"/.exec(await answer.text())![1]!;
  const cookie = answer.headers.getSetCookie()[0]!.split(";", 1)[0]!;
  const fields = {
    "post[title]": "A new post",
    "post[body]": "Its text.",
    "post[author]": "7",
    authenticity_token: token,
  };
  return { cookie, body: new URLSearchParams(fields).toString() };
}

/** The nth request: the five works, and among them what no cache has seen before: pages, searches, visitors, nonsense. */
function askOf(index: number, rows: number, { cookie, body }: { cookie: string; body: string }): Ask {
  const id = ((index * 7919) % rows) + 1;
  const headers = { cookie };
  if (index % 1000 === 999) return { path: `/admin/posts?q=${index}`, status: 200, headers };
  switch (index % 20) {
    case 0:
      return { path: "/admin/posts", status: 303, body, headers: { ...form, cookie } };
    case 1:
      return { path: `/admin/posts?page=${(index % 50) + 1}`, status: 200, headers };
    case 2:
      return { path: `/admin/nowhere/${index}`, status: 404 };
    case 3:
      return {
        path: `/admin/posts?sort=${index % 2 ? "-" : ""}title&filter[status]=live&page=1`,
        status: 200,
        headers,
      };
    case 4:
      return { path: `/admin/posts/${id}/edit`, status: 200 }; // a visitor without a session: one is made
    case 5:
      return { path: `/admin/posts?per_page=${(index % 100) + 1}&x${index}=1`, status: 200, headers };
    default:
      return [
        { path: `/admin/posts/${id}`, status: 200, headers },
        { path: `/admin/posts/${id}.json`, status: 200 },
        { path: "/admin/posts.json", status: 200 },
        { path: "/admin/posts", status: 200, headers },
      ][index % 4]!;
  }
}

/** Sends so many requests over ten connections. */
export async function load(url: string, count: number, rows: number, from = 0): Promise<void> {
  const shown = await openForm(url);
  let next = from;
  const visitor = async () => {
    while (next < from + count) await send(url, askOf(next++, rows, shown));
  };
  await Promise.all(Array.from({ length: 10 }, visitor));
}

/** The median time of a page, in milliseconds; asked for one at a time. */
export async function medianOf(url: string, path: string, times: number): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < times; index++) taken.push(await send(url, { path, status: 200 }));
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)]!;
}
