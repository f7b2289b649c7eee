import { copyFixture } from "../../support/fixtures.ts";

/** Models with columns of every type, labels and getters of their own, and policies that look at users and records. */
export const leanFiles = copyFixture("lean");

const stamp = (day: number) =>
  `2026-${String((day % 12) + 1).padStart(2, "0")}-${String(day).padStart(2, "0")} 10:0${day % 6}:00.00${day % 10}`;
const nasty = `<b>"bold"</b> & 'more'`;

/** Rows of every kind: full ones, empty ones, odd ones. */
export const leanRows: Record<string, Record<string, unknown>[]> = {
  people: [
    { name: "Ada", email: "ada@x.test", created_at: stamp(1), updated_at: stamp(1) },
    { name: nasty, email: null, created_at: stamp(29), updated_at: stamp(2) },
    { name: "", email: "third@x.test", created_at: stamp(3), updated_at: stamp(3) },
    { name: null, email: null, created_at: stamp(4), updated_at: stamp(4) },
  ],
  makers: [{ name: "Smith" }, { name: nasty }],
  watchers: [{ name: "Hawk" }],
  items: Array.from({ length: 27 }, (_, at) => itemOf(at + 1)),
  parts: Array.from({ length: 9 }, (_, at) => ({
    label: at % 4 === 3 ? null : `Part ${at} ${nasty}`,
    secret: "marked",
    item_id: (at % 3) + 1,
    created_at: stamp(at + 1),
    updated_at: stamp(at + 1),
  })),
  manuals: [{ title: "How to", item_id: 1 }],
};

function itemOf(at: number): Record<string, unknown> {
  const stamps = { created_at: stamp((at % 28) + 1), updated_at: stamp((at % 28) + 1) };
  if (at % 5 === 0) return { status: "draft", ...stamps };
  return {
    title: at === 7 ? "Hidden" : at === 8 ? nasty : `Item ${at}`,
    body: at % 3 === 0 ? null : `${nasty}\n${"long ".repeat(at * 3)}`,
    position: at % 4,
    large: at * 1_000_000_007,
    ratio: at / 8,
    amount: `${at * 1111}.${at}05`.slice(0, 12),
    published: at % 2 === 0,
    due_on: `2026-0${(at % 9) + 1}-1${at % 10}`,
    seen_at: at % 6 === 0 ? null : stamp((at % 31) + 1 > 28 ? 28 : (at % 31) + 1),
    opens_at: "09:30:00",
    settings: JSON.stringify({ at, nasty, list: [1, null, { deep: true }] }),
    status: ["draft", "in_review", "live", "odd <one>"][at % 4],
    price_cents: at * -123_456,
    contact_email: "a&b@x.test",
    site_url: at % 2 === 0 ? "https://x.test/?a=1&b=2" : "javascript:alert(1)",
    picture: Buffer.from([at, 0, 255]),
    secret_token: "marked",
    owner_id: at % 7 === 0 ? null : (at % 4) + 1,
    maker_id: at % 3 === 0 ? null : (at % 2) + 1,
    watcher_id: at % 6 === 1 ? 1 : null,
    ...stamps,
  };
}
