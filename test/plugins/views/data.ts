import { raw } from "framewright/host";
import { Drop } from "liquidjs";

/** A record, as models are. */
export class Post {
  id = 7;
  title = "<b>Hi</b>";
  $secret = "no";
  get price(): string {
    return "1.50";
  }
  get drop(): Drop {
    return new Known();
  }
  toLabel(): string {
    return this.title;
  }
  destroy(): string {
    return "destroyed";
  }
}

class Known extends Drop {
  known = "<known>";
  method(): string {
    return "called";
  }
  *gen(): Generator<unknown, string> {
    yield 1;
    return "generated";
  }
  get deep(): Drop {
    return new Known();
  }
  override liquidMethodMissing(key: string | number): unknown {
    return key === "asked" ? "<asked>" : undefined;
  }
  override valueOf(): unknown {
    return "dropped";
  }
}

class Five extends Drop {
  equals = (value: unknown) => value === 5;
  gt = (value: number) => 5 > value;
  geq = (value: number) => 5 >= value;
  lt = (value: number) => 5 < value;
  leq = (value: number) => 5 <= value;
  override valueOf(): unknown {
    return 5;
  }
}
class No extends Drop {
  override valueOf(): unknown {
    return false;
  }
}

const plain = () => ({
  title: `</script><b>"Tom" & 'Jerry'</b>`,
  none: null,
  void: undefined,
  zero: 0,
  no: false,
  yes: true,
  empty: "",
  nothing: {},
  nan: Number.NaN,
  number: 12.5,
  big: 10n,
  symbol: Symbol("s"),
  date: new Date("2026-11-20T14:05:00Z"),
  when: "2026-11-20 14:05:00.000",
  html: "{{ title }}",
  stored: `{{ title }}{% render "row" %}"+broken()+"\`\${broken()}\``,
  safe: raw("<s>safe</s>"),
  key: "name",
  list: ["a", "<b>", 3, null, ["x", ["y"]]],
  pair: ["a", ["b"]],
  twin: ["a", ["b"]],
  // biome-ignore lint/suspicious/noSparseArray: that is the case
  sparse: [1, , 3],
});

const things = () => ({
  posts: [
    { id: 1, name: "One", tags: ["t1", "t2"], author: { name: "Ada" } },
    { id: 2, name: "<Two>", tags: [], author: null },
  ],
  nested: {
    "a b": { c: [{ d: "deep" }] },
    size: 5,
    name: "n",
    method(this: { name: string }) {
      return `method of ${this.name}`;
    },
  },
  a: { x: "ax" },
  tree: {
    name: "root",
    children: [
      { name: "<l>", children: [] },
      { name: "r", children: [{ name: "rl" }] },
    ],
  },
  shadow: { size: "own size", first: "own first", last: "own last" },
  odd: { size: undefined, first: undefined },
  nullproto: Object.assign(Object.create(null), { a: "np" }),
  frozen: Object.freeze({ x: "<f>" }),
  set: new Set([1, "<2>"]),
  map: new Map([["k", "<v>"]]),
  request: { locale: "de" },
});

/** Everything that a page could be handed; made anew for each rendering, as some of it changes when it is read. */
export function hostile(): Record<string, unknown> {
  let ticks = 0;
  return {
    ...plain(),
    ...things(),
    post: new Post(),
    records: [new Post(), new Post()],
    drop: new Known(),
    comparable: new Five(),
    falsy: new No(),
    fn: () => "<called>",
    fns: [() => "<one>", function two() {}],
    liquid: { toLiquid: () => ({ a: "<la>", b: ["lb"] }) },
    gen: (function* () {
      yield "g1";
      return "<ret>";
    })(),
    counter: {
      get tick() {
        return ++ticks;
      },
    },
    bomb: {
      get boom() {
        throw new Error("it blew up");
      },
    },
    helpers: {
      posts_path: () => "/posts?a=1&b=2",
      post_path: (post: { id?: number } | undefined) => `/posts/${post?.id}`,
    },
  };
}
