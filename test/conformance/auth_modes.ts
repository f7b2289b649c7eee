// What every mode of authentication must do (`services.host.authModes.add`). Uses node:assert alone, so that it runs under any
// test runner: for (const { sentence, check } of authModeConformance) test(sentence, () => check({ plugins: [badges(people)], mode: "badge", people, wrong })).
import assert from "node:assert/strict";
import { AuthenticatedBy, BaseController, concern } from "framewright/host";
import { definePlugin } from "framewright/kernel";
import type { TestApplication } from "framewright/testing";
import { type Answer, type Asked, ask, type Subject, within } from "./support/application.ts";

/** What proves who somebody is: the headers that a request brings. */
export type Credentials = Readonly<Record<string, string>>;

/** An application that has the mode, with people whom it knows. */
export interface AuthModeSubject extends Subject {
  /** The name of the mode, as in "badge". */
  mode: string;
  /** Two people at least, each with nothing but the headers that prove who they are, and the account that `find` returns, as JSON has it. */
  people: readonly { credentials: Credentials; account: object }[];
  /** Headers that prove nothing, by what is wrong with them: `{ "an unknown badge": { "x-badge": "none" } }`. */
  wrong: Readonly<Record<string, Credentials>>;
  /**
   * The headers that are also tried cut, stretched and changed by a character; all of them unless given. Leave out one of which
   * other values are right as well, as a name that a proxy vouches for.
   */
  damaged?: readonly string[];
}
export interface AuthModeCheck {
  sentence: string;
  check(subject: AuthModeSubject): Promise<void>;
}

const CLOSED = "/conformance/closed";
const OPEN = "/conformance/open";
const JSON_HEADERS = { accept: "application/json", "content-type": "application/json" };

/** Two controllers of the mode, which show the account: one refuses guests, the other admits them. */
function controllersOf(mode: string) {
  class Closed extends concern(BaseController, AuthenticatedBy(mode, { guests: "refuse" })) {
    show() {
      return this.json({ account: this.currentUser ?? null });
    }
  }
  class Open extends concern(BaseController, AuthenticatedBy(mode, { guests: "admit" })) {
    show() {
      return this.json({ account: this.currentUser ?? null });
    }
  }
  class Standard extends concern(BaseController, AuthenticatedBy(mode)) {
    show() {
      return this.json({ account: this.currentUser ?? null });
    }
  }
  return definePlugin({
    name: "conformance",
    requires: ["host"],
    apply({ hooks, tap }) {
      tap(hooks.kernel.drawRoutes, (routes) => {
        for (const [path, controller] of [
          [CLOSED, Closed],
          [OPEN, Open],
          ["/conformance/standard", Standard],
        ] as const) {
          routes.get(path.slice(1), { controller, action: "show" });
          routes.post(path.slice(1), { controller, action: "show" });
        }
      });
    },
  });
}

const withMode = (subject: AuthModeSubject, work: (app: TestApplication) => Promise<void>): Promise<void> => {
  if (subject.people.length < 2)
    throw new Error("The suite needs two people whom the mode knows. Name them in people.");
  return within(subject, [controllersOf(subject.mode)], work);
};

const send = (app: TestApplication, path: string, headers: Asked["headers"], method = "GET"): Promise<Answer> =>
  ask(app, path, { method, headers: { ...JSON_HEADERS, ...headers }, ...(method === "GET" ? {} : { body: "{}" }) });

const accountOf = ({ status, text }: Answer): unknown =>
  status === 200 ? (JSON.parse(text) as { account: unknown }).account : undefined;

const asJson = (account: object): unknown => JSON.parse(JSON.stringify(account));

/** A request that proves nothing is answered 401, or is led to a sign-in; never by the action, and never as a failure. */
function assertRefused(answer: Answer, why: string): void {
  assert.equal(answer.status, 401, `${why}: answered ${answer.status}`);
  assert.match(answer.headers["www-authenticate"] ?? "", /^[\x21-\x7e]/, `${why}: WWW-Authenticate`);
  assert.ok(!answer.text.includes('"account"'), `${why}: the action has answered`);
}

/** What a person's own headers become when somebody guesses, cuts or stretches one of them. */
function* damaged(
  credentials: Credentials,
  names: readonly string[] = Object.keys(credentials),
): Iterable<[why: string, headers: Credentials]> {
  for (const [name, value] of Object.entries(credentials)) {
    const { [name]: _, ...others } = credentials;
    const middle = Math.floor(value.length / 2);
    const other = value[middle] === "x" ? "y" : "x";
    yield [`without ${name}`, others];
    if (!names.includes(name)) continue;
    const values = {
      empty: "",
      "cut in half": value.slice(0, middle),
      "with one character changed": value.slice(0, middle) + other + value.slice(middle + 1),
      "beyond its end": `${value}${value}`,
      "of another alphabet": "\u00e9\u00ff".repeat(16),
      "very long": "x".repeat(6000),
    };
    for (const [how, text] of Object.entries(values))
      if (text !== value) yield [`${name} ${how}`, { ...others, [name]: text }];
  }
}
const wrongOnes = ({ people, wrong, damaged: names }: AuthModeSubject): [why: string, headers: Credentials][] => [
  ["no credentials", {}],
  ...Object.entries(wrong),
  ...people.flatMap(({ credentials }) => [...damaged(credentials, names)]),
];

export const authModeConformance: readonly AuthModeCheck[] = [
  {
    sentence: "Each person is admitted with the account that the credentials are of, to read and to write",
    check: (subject) =>
      withMode(subject, async (app) => {
        for (const { credentials, account } of subject.people)
          for (const path of [CLOSED, OPEN])
            for (const method of ["GET", "POST"])
              assert.deepEqual(
                accountOf(await send(app, path, credentials, method)),
                asJson(account),
                `${method} ${path}`,
              );
      }),
  },
  {
    sentence:
      "A request that proves nothing gets 401 with WWW-Authenticate, and no failure: absent, wrong or damaged credentials",
    check: (subject) =>
      withMode(subject, async (app) => {
        for (const [why, headers] of wrongOnes(subject))
          for (const method of ["GET", "POST"]) assertRefused(await send(app, CLOSED, headers, method), why);
      }),
  },
  {
    sentence: "A controller that does not say so refuses guests, since the mode does not admit them by itself",
    check: (subject) =>
      withMode(subject, async (app) => assertRefused(await send(app, "/conformance/standard", {}), "no credentials")),
  },
  {
    sentence: "Where guests are admitted, a request that proves nothing is a guest's or refused, and never somebody's",
    check: (subject) =>
      withMode(subject, async (app) => {
        for (const [why, headers] of wrongOnes(subject)) {
          const answer = await send(app, OPEN, headers);
          assert.ok(answer.status === 401 || accountOf(answer) === null, `${why}: ${answer.status} ${answer.text}`);
        }
      }),
  },
  {
    sentence: "A browser that asks for a page without credentials gets the page of the 401, or is led to a sign-in",
    check: (subject) =>
      withMode(subject, async (app) => {
        const { status, headers, text } = await ask(app, CLOSED, { headers: { accept: "text/html" } });
        if (status === 303) assert.match(headers.location ?? "", /^(?:https?:\/\/|\/(?![/\\]))/);
        else assert.equal(status, 401);
        assert.ok(!text.includes('"account"'), "the action has answered");
      }),
  },
  {
    sentence: "A header that comes twice with different values admits nobody: a proxy may have looked at the other one",
    check: (subject) =>
      withMode(subject, async (app) => {
        const [one, two] = subject.people;
        for (const [name, value] of Object.entries(one!.credentials)) {
          const others = [two!.credentials[name] ?? "", "x"].filter((other) => other !== "" && other !== value);
          for (const other of others)
            for (const values of [
              [value, other],
              [other, value],
            ])
              assertRefused(await send(app, CLOSED, { ...one!.credentials, [name]: values }), `${name} twice`);
        }
      }),
  },
  {
    sentence:
      "Nothing is remembered: requests of several people and of guests that run at once each have their own account",
    check: (subject) =>
      withMode(subject, async (app) => {
        const turns = [...subject.people, { credentials: {}, account: undefined }];
        const asked = Array.from({ length: 10 * turns.length }, async (_, index) => {
          const { credentials, account } = turns[index % turns.length]!;
          const answer = await send(app, CLOSED, credentials);
          if (account) assert.deepEqual(accountOf(answer), asJson(account));
          else assertRefused(answer, "no credentials, beside others' requests");
        });
        await Promise.all(asked);
      }),
  },
];
