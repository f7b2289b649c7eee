import { titleOf } from "./data.ts";

export type ServerName = "limit" | "by_hand" | "ours";
/** One request, as the load sends it over and over. */
export interface Ask {
  path: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
}
export interface Work {
  key: string;
  title: string;
  /** The least that ours may do, as a part of what is done by hand. */
  floor: number;
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

/** A page of ours is asked for with the session that a browser brings. */
const page = (tail: string) => async (server: ServerName, url: string) => {
  const ask = get(tail)(server);
  return server === "ours" ? { ...ask, headers: { cookie: (await openForm(url)).cookie } } : ask;
};

/** The form of a new post, as a browser is shown it. */
async function openForm(url: string): Promise<{ token: string; cookie: string }> {
  const form = await fetch(`${url}/admin/posts/new`);
  const token = /name="authenticity_token" value="([^"]+)"/.exec(await form.text())?.[1];
  const cookie = form.headers.get("set-cookie")?.split(";", 1)[0];
  if (!token || !cookie) throw new Error("The form of a new post came without a token or a cookie.");
  return { token, cookie };
}

/** By hand a form is taken as it comes; ours wants the session and the token of the form that was shown. */
async function create(server: ServerName, url: string): Promise<Ask> {
  if (server !== "ours") {
    const body = new URLSearchParams({ ...text, author_id: "7" }).toString();
    return { path: "/posts", method: "POST", headers: { "content-type": FORM }, body };
  }
  const { token, cookie } = await openForm(url);
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
    floor: 1.2,
    goal: 5,
    honest: 0.07,
    status: 200,
    ask: page(""),
    holds: [escaped(10_000), escaped(9_981), "Author &lt;1&gt;", "page=2"],
  },
  {
    key: "W2",
    title: "HTML show",
    floor: 0.8,
    goal: 2.5,
    honest: 0.09,
    status: 200,
    ask: page("/77"),
    holds: [escaped(77), "Author &lt;78&gt;", "The text of post 77."],
  },
  {
    key: "W3",
    title: "JSON index",
    floor: 0.45,
    goal: 0.9,
    honest: 0.6,
    status: 200,
    ask: get(".json"),
    holds: [titleOf(10_000), titleOf(9_981), "Author <1>", "10000"],
  },
  {
    key: "W4",
    title: "JSON show",
    floor: 0.5,
    goal: 0.9,
    honest: 0.31,
    status: 200,
    ask: get("/77.json"),
    holds: [titleOf(77), "Author <78>", "The text of post 77."],
  },
  { key: "W5", title: "form POST", floor: 0.4, goal: 0.7, honest: 0.49, status: 303, ask: create, holds: [] },
];
