import type { Part } from "./contract.ts";

/** Milliseconds for which it is known what changed: from when a page was drawn to when its stream is open. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;
/** Milliseconds for each follower of a topic: not all look at the same moment. */
const SPREAD_MS = 2;
const MAX_SPREAD_MS = 3000;

/** The followers of topics. */
export interface Follower {
  /** The topics, and what of its page each is about. */
  readonly topics: ReadonlyMap<string, Part>;
  /** When the page was requested: milliseconds since 1970. It has what was changed before. */
  readonly since: number;
  /** `within`: milliseconds in which it is to be sent. */
  notify(part: Part, within: number): void;
  end(): void;
}

/** The open streams of this process, by what they follow, and what changed lately. */
export class Followers {
  readonly #all = new Set<Follower>();
  readonly #byTopic = new Map<string, Set<Follower>>();
  /** When a topic changed last, the oldest first. */
  readonly #changed = new Map<string, number>();
  /** Nothing is known of before. */
  #knownSince = Date.now();

  add(follower: Follower): void {
    this.#all.add(follower);
    for (const topic of follower.topics.keys()) {
      const some = this.#byTopic.get(topic) ?? new Set();
      this.#byTopic.set(topic, some.add(follower));
    }
  }
  remove(follower: Follower): void {
    this.#all.delete(follower);
    for (const topic of follower.topics.keys()) {
      const some = this.#byTopic.get(topic);
      if (some?.delete(follower) && some.size === 0) this.#byTopic.delete(topic);
    }
  }

  /** Something changed; `at`: milliseconds since 1970. */
  notify(topic: string, at: number): void {
    this.#changed.delete(topic);
    this.#changed.set(topic, at);
    this.#forget();
    const followers = this.#byTopic.get(topic) ?? new Set();
    const within = spreadOf(followers.size);
    for (const follower of followers) if (follower.since <= at) follower.notify(follower.topics.get(topic)!, within);
  }
  #forget(): void {
    for (const [known, at] of this.#changed) {
      if (at > Date.now() - REMEMBERED_MS && this.#changed.size <= MAX_REMEMBERED) return;
      this.#changed.delete(known);
      this.#knownSince = Math.max(this.#knownSince, at + 1);
    }
  }
  /** Changes may have been missed: everybody looks. */
  notifyAll(): void {
    this.#knownSince = Date.now();
    const within = spreadOf(this.#all.size);
    for (const follower of this.#all)
      for (const part of new Set(follower.topics.values())) follower.notify(part, within);
  }
  /** What of a page may have changed since it was requested. */
  changedSince(topics: ReadonlyMap<string, Part>, since: number): Set<Part> {
    if (since < this.#knownSince) return new Set(topics.values());
    return new Set([...topics].flatMap(([topic, part]) => ((this.#changed.get(topic) ?? 0) >= since ? [part] : [])));
  }
  /** The followed topics that begin with a text, without it. */
  rests(prefix: string): string[] {
    return [...this.#byTopic.keys()].flatMap((topic) => (topic.startsWith(prefix) ? [topic.slice(prefix.length)] : []));
  }
  end(): void {
    for (const follower of [...this.#all]) follower.end();
  }
}

const spreadOf = (followers: number): number => Math.min(MAX_SPREAD_MS, followers * SPREAD_MS);
