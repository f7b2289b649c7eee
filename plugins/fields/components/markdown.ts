import { createRequire } from "node:module";
import { html, raw, type SafeHtml, safeUrl } from "framewright/host";
import type MarkdownIt from "markdown-it";
import { type DisplayOptions, showLongText } from "./displays.ts";

/** Texts beyond either are shown as they were typed: what one person writes must not keep the page of another waiting. */
const MAX_CHARS = 50_000;
const MAX_SIGNS = 2_500;
/** What Markdown has a meaning for, and takes some microseconds each to read. */
const SIGNS = /[[\]*_~`!<>|&@:#\\\n]/g;
/** The page has the first two levels of headings for itself. */
const LEVELS_ABOVE = 2;

type Parser = InstanceType<typeof MarkdownIt>;
/** Module-level: a pure function, loaded with the first use. */
let parser: Parser | undefined;

/**
 * A text in Markdown, as HTML. HTML in it stays text, pictures are links to them, and links lead to addresses of the
 * web, mail and telephone alone; in lists it is the text as it was typed.
 */
export function showMarkdown(value: unknown, options: DisplayOptions): SafeHtml {
  const text = String(value);
  if (options.truncate !== undefined || text.length > MAX_CHARS || hasMany(text)) return showLongText(value, options);
  parser ??= createParser();
  return html`<div class="fw-markdown-text">${raw(parser.render(text))}</div>`;
}

const hasMany = (text: string): boolean => (text.match(SIGNS)?.length ?? 0) > MAX_SIGNS;

/** Loaded with the first text: most processes never show one. */
function createParser(): Parser {
  const Markdown = createRequire(import.meta.url)("markdown-it") as typeof MarkdownIt;
  const markdown = new Markdown({ html: false, linkify: true, breaks: true });
  markdown.disable("image");
  markdown.validateLink = isSafeLink;
  for (const name of ["heading_open", "heading_close"] as const)
    markdown.renderer.rules[name] = (tokens, at, given, _env, renderer) => {
      const token = tokens[at]!;
      token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + LEVELS_ABOVE)}`;
      return renderer.renderToken(tokens, at, given);
    };
  for (const name of ["th_open", "td_open"] as const)
    markdown.renderer.rules[name] = (tokens, at) => `<${tokens[at]!.tag}>`; // its alignment is a style, which pages do not allow
  markdown.renderer.rules.link_open = (tokens, at, given, _env, renderer) => {
    tokens[at]!.attrSet("rel", "nofollow noopener noreferrer");
    return renderer.renderToken(tokens, at, given);
  };
  return markdown;
}

/** An address within the site, or one with a scheme that links may have. */
const isSafeLink = (url: string): boolean =>
  /^(?:\/(?![/\\])|#|\?)/.test(url.trim()) || (/^[a-z]+:/i.test(url.trim()) && safeUrl(url) !== "#");
