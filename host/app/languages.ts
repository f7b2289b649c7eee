import { acceptedLocale } from "../http/accepted_language.ts";
import { BoundedCache } from "../support/bounded_cache.ts";
import type { TextsPort } from "./ports.ts";

/** Headers whose choice is remembered: browsers send few different ones. */
const MAX_HEADERS = 500;

/** The languages that an application offers to people: those of the slot "i18n". */
export class Languages {
  /** The application's own, which people have whose language is not known. */
  readonly own: string;
  readonly offered: readonly string[];
  /** Whether there is anything to choose; where there is not, nothing is negotiated. */
  readonly areSeveral: boolean;
  readonly #accepted = new BoundedCache<string>(MAX_HEADERS);

  constructor(texts: TextsPort | undefined) {
    this.own = texts?.locale ?? "en";
    this.offered = texts?.locales ?? [this.own];
    this.areSeveral = this.offered.length > 1;
  }

  /** The name, where it is that of an offered locale. */
  find(name: unknown): string | undefined {
    return typeof name === "string" && this.offered.includes(name) ? name : undefined;
  }
  /** What an `Accept-Language` header chooses of them. */
  accepted(header: string | undefined): string {
    if (header === undefined || header === "") return this.own;
    return this.#accepted.getOrMake(header.slice(0, 1000), () => acceptedLocale(header, this.offered) ?? this.own);
  }
}
