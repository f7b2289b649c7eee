import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { chromiumPath } from "./requirements.ts";

export const widths = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } } as const;
export const themes = ["light", "dark"] as const;
export interface Visit {
  width?: keyof typeof widths;
  theme?: (typeof themes)[number];
  script?: boolean;
  /** What the browser says that it is; Chromium unless told. */
  userAgent?: string;
  /** Headers that each request carries, as a proxy adds them. */
  headers?: Record<string, string>;
}

/** Each context opens a window, and what its address bar might show one day costs more than the page that is looked at. */
const addressBar = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];
/** What Playwright switches off in Chromium, said again: the last list counts. */
const playwrights =
  "AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect OptimizationHints NetworkTimeServiceQuerying AimEnabled PreconnectToSearch";
/** A process in waiting for a page of another site, which tests do not go to. */
const spareProcess = "SpareRendererForSitePerProcess";
const features = `--disable-features=${[...playwrights.split(" "), ...addressBar, spareProcess].join(",")}`;
/** Scripts of pages run too briefly for compiling them a second time, or collecting garbage by several threads, to pay. */
const scripts = "--js-flags=--no-opt,--single-threaded-gc";

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--in-process-gpu", scripts, features],
  });

/** Pages whose console errors, script errors and refused contents are collected in `problems`. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly problems: string[];
}

/** A visitor with cookies and a theme of their own. */
export async function visit(
  browser: Browser,
  base: string,
  { width = "wide", theme = "light", script = true, userAgent, headers = {} }: Visit = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: widths[width],
    colorScheme: theme,
    javaScriptEnabled: script,
    reducedMotion: "reduce",
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
    extraHTTPHeaders: headers,
    ...(userAgent === undefined ? {} : { userAgent }),
  });
  context.setDefaultTimeout(process.env.FW_TEST_DEADLINE === undefined ? 10_000 : 30_000); // a slow machine is no hang
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    const expected = /status of (404|409|422)/.test(message.text()); // Chromium tells of every answer that is no success
    if (message.type() === "error" && !expected) problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", ({ message }) => {
    if (message !== ABORTED) problems.push(`${page.url()}: ${message}`);
  });
  return { context, page, problems };
}

/** What Chromium says of a page that Turbo began to fetch ahead, for a pointer over a link, and left for the one that was clicked. */
const ABORTED = "signal is aborted without reason";

/** Keeps a picture of the page where FW_SCREENSHOTS says; without it nothing is kept. */
export async function picture(page: Page, name: string): Promise<void> {
  const directory = process.env.FW_SCREENSHOTS;
  if (directory === undefined) return;
  mkdirSync(directory, { recursive: true });
  await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true });
}
