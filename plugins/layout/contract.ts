import type { SafeHtml } from "framewright/host";
import type { Head } from "./head.ts";

declare module "framewright/kernel" {
  interface Slots {
    layout: { service: Layout };
  }
}

/**
 * The slot's service. A filler also provides the views `layouts/basic` and `errors/error`, with which errors are answered, taps
 * `hooks.kernel.layout` last with its `choose`, and puts into each page the title, the `flash` messages, the content once, and
 * in the head what `head` has and `<meta name="csrf-token">`. `framewright/conformance/layout` tests one.
 */
export interface Layout {
  /** The `<head>` of all pages with a layout: `head.add(() => html`<link rel="preconnect" href="https://tiles.example">`)`. */
  readonly head: Head;
  /** The layout of a page: "none" inside a Turbo frame, else the requested layout, else the default of portal or main application. */
  choose(page: LayoutChoice): string;
  /** Wraps content for a Turbo frame; a text is HTML as it is. */
  frame(id: string, content: SafeHtml | string): SafeHtml;
}

/** What decides a page's layout: values from code, or from Turbo's header; never from a parameter. */
export interface LayoutChoice {
  /** The id of the Turbo frame that requests the page. */
  frame?: string | undefined;
  /** The layout that the controller or route sets. */
  layout?: string | undefined;
  host: "portal" | "main";
}
