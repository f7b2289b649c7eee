import { ADMIN, titleOf } from "./data.ts";

export type ServerName = "limit" | "by_hand" | "fastify" | "same" | "ours";
/** One request, as the load sends it over and over. */
export interface Ask {
  path: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
}
/** Parts of what others do, warm. */
export interface Floors {
  fastify: number;
  same: number;
}
export interface Work {
  key: string;
  title: string;
  /** The least that ours may do by the major version of Node; those of the oldest count for others. */
  floors: Readonly<Record<number, Floors>> & { readonly 20: Floors };
  /** What ours should do, as a part of what fastify does. */
  goal: number;
  /** What by hand does of the limit, when the yardsticks are honest. */
  honest: number;
  status: number;
  ask(server: ServerName, url: string): Ask | Promise<Ask>;
  /** What the answer must hold, whoever gives it. */
  holds: readonly string[];
}

const base = (server: ServerName) => (server === "ours" ? "/admin/posts" : "/posts");
const get = (tail: string) => (server: ServerName) => ({
  path: base(server) + tail,
  method: "GET" as const,
  headers: {},
});
const escaped = (id: number) => titleOf(id).replace("&", "&amp;");

const text = { title: "A new post & more", body: "Its text, which is not long." };
const FORM = "application/x-www-form-urlencoded";

/** Of ours everything is asked for by who is signed in, with the session that a browser brings. */
const page = (tail: string) => async (server: ServerName, url: string) => {
  const ask = get(tail)(server);
  if (server === "same") return { ...ask, headers: { cookie: (await signInThere(url)).cookie } };
  return server === "ours" ? { ...ask, headers: { cookie: (await openForm(url, await signIn(url))).cookie } } : ask;
};

/** The page that signing in is measured by: as somebody, and as anybody at the same page that is open to all. */
export async function signedInAsks(url: string): Promise<Record<"signedIn" | "open", Ask>> {
  const [mine, theirs] = [await openForm(url, await signIn(url)), await openForm(url, "", "/open")];
  const ask = (base: string, cookie: string): Ask => ({ path: `${base}/posts`, method: "GET", headers: { cookie } });
  return { signedIn: ask("/admin", mine.cookie), open: ask("/open", theirs.cookie) };
}

/** The token of the page's own form: the menu has one as well. */
const tokenIn = (html: string) => /class="fw-form".*?name="authenticity_token" value="([^"]+)"/s.exec(html)?.[1];
const cookieOf = (answer: Response) => answer.headers.get("set-cookie")?.split(";", 1)[0];

/** At the same by hand. */
async function signInThere(url: string): Promise<{ cookie: string; token: string }> {
  const answer = await fetch(`${url}/sign-in`);
  const { token } = (await answer.json()) as { token: string };
  return { cookie: cookieOf(answer) ?? "", token };
}

async function signIn(url: string): Promise<string> {
  const page = await fetch(`${url}/admins/login`);
  const body = new URLSearchParams({ ...ADMIN, authenticity_token: tokenIn(await page.text()) ?? "" });
  const headers = { cookie: cookieOf(page) ?? "" };
  const answer = await fetch(`${url}/admins/login`, { method: "POST", body, headers, redirect: "manual" });
  const cookie = cookieOf(answer);
  if (answer.status !== 303 || !cookie) throw new Error(`Signing in was answered ${answer.status}.`);
  return cookie;
}

/** The form of a new post, as a browser is shown it. */
async function openForm(url: string, session: string, base = "/admin"): Promise<{ token: string; cookie: string }> {
  const form = await fetch(`${url}${base}/posts/new`, { headers: { cookie: session } });
  const token = tokenIn(await form.text());
  const cookie = cookieOf(form) ?? session;
  if (!token || !cookie) throw new Error("The form of a new post came without a token or a cookie.");
  return { token, cookie };
}

/** A person's wizard: its launch, and a step of a run of hers. */
export async function wizardAsks(url: string): Promise<Record<"launch" | "step", Ask>> {
  const cookie = await signIn(url);
  const launched = await fetch(`${url}/admin/order`, { headers: { cookie }, redirect: "manual" });
  const path = launched.headers.get("location") ?? "";
  const page = await fetch(url + path, { headers: { cookie } });
  const mine = cookieOf(page) ?? cookieOf(launched) ?? cookie;
  const token = /class="fw-form[^>]*>.*?name="authenticity_token" value="([^"]+)"/s.exec(await page.text())?.[1] ?? "";
  const answers = { "wizard[title]": text.title, "wizard[body]": text.body, "wizard[author]": "7" };
  const body = new URLSearchParams({ ...answers, authenticity_token: token }).toString();
  return {
    launch: { path: "/admin/order", method: "GET", headers: { cookie: mine } },
    step: { path, method: "POST", headers: { "content-type": FORM, cookie: mine }, body },
  };
}

/** By hand a form is taken as it comes; ours wants the session and the token of the form that was shown. */
async function create(server: ServerName, url: string): Promise<Ask> {
  if (server !== "ours") {
    const there = server === "same" ? await signInThere(url) : undefined;
    const own: Record<string, string> = there ? { authenticity_token: there.token } : {};
    const headers: Record<string, string> = { "content-type": FORM, ...(there ? { cookie: there.cookie } : {}) };
    const body = new URLSearchParams({ ...text, author_id: "7", ...own }).toString();
    return { path: "/posts", method: "POST", headers, body };
  }
  const { token, cookie } = await openForm(url, await signIn(url));
  const fields = { "post[title]": text.title, "post[body]": text.body, "post[author]": "7", authenticity_token: token };
  return {
    path: "/admin/posts",
    method: "POST",
    headers: { "content-type": FORM, cookie },
    body: new URLSearchParams(fields).toString(),
  };
}

export const works: readonly Work[] = [
  {
    key: "W1",
    title: "HTML index",
    floors: {
      20: { fastify: 0.45, same: 0.8 },
      24: { fastify: 0.7, same: 0.95 },
      26: { fastify: 0.7, same: 1 },
    },
    goal: 1,
    honest: 0.07,
    status: 200,
    ask: page(""),
    holds: [escaped(10_000), escaped(9_981), "Author &lt;1&gt;", "page=2"],
  },
  {
    key: "W2",
    title: "HTML show",
    floors: {
      20: { fastify: 0.35, same: 0.8 },
      24: { fastify: 0.52, same: 0.92 },
      26: { fastify: 0.62, same: 1.05 },
    },
    goal: 1,
    honest: 0.09,
    status: 200,
    ask: page("/77"),
    holds: [escaped(77), "Author &lt;78&gt;", "The text of post 77."],
  },
  {
    key: "W3",
    title: "JSON index",
    floors: {
      20: { fastify: 1, same: 1.4 },
      24: { fastify: 0.63, same: 0.95 },
      26: { fastify: 0.95, same: 1.45 },
    },
    goal: 1.2,
    honest: 0.6,
    status: 200,
    ask: page(".json"),
    holds: [titleOf(10_000), titleOf(9_981), "Author <1>", "10000"],
  },
  {
    key: "W4",
    title: "JSON show",
    floors: { 20: { fastify: 0.8, same: 1.35 }, 26: { fastify: 0.85, same: 1.35 } },
    goal: 1.1,
    honest: 0.31,
    status: 200,
    ask: page("/77.json"),
    holds: [titleOf(77), "Author <78>", "The text of post 77."],
  },
  {
    key: "W5",
    title: "form POST",
    floors: {
      20: { fastify: 0.35, same: 0.95 },
      24: { fastify: 0.42, same: 0.9 },
      26: { fastify: 0.5, same: 1.1 },
    },
    goal: 0.9,
    honest: 0.49,
    status: 303,
    ask: create,
    holds: [],
  },
];
