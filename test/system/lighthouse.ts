import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromiumPath } from "../support/requirements.ts";

/** 185 MB with all that it brings: installed where it is needed, not by everybody who develops. */
const PACKAGE = "lighthouse@12.8.2";

interface Audit {
  readonly score: number | null;
  readonly title: string;
  readonly displayValue?: string;
}
interface Report {
  readonly categories: Record<string, { readonly score: number; readonly auditRefs: { id: string; weight: number }[] }>;
  readonly audits: Record<string, Audit>;
}
interface Modules {
  lighthouse(url: string, flags: object): Promise<{ lhr: Report }>;
  launch(options: object): Promise<{ port: number; kill(): unknown }>;
}

/** What a page scores, from 0 to 100, and what it lost points by. */
export interface Scores {
  readonly performance: number;
  readonly accessibility: number;
  readonly bestPractices: number;
  readonly lost: string;
}

/** Lighthouse in a temporary folder. */
export async function installLighthouse() {
  const folder = mkdtempSync(join(tmpdir(), "fw-lighthouse-"));
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const words = ["install", "--no-audit", "--no-fund", "--prefer-offline", PACKAGE];
  const { status, stderr } = spawnSync("npm", words, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${PACKAGE} could not be installed\n${stderr}`);
  const load = (path: string): Promise<Record<string, unknown>> =>
    import(pathToFileURL(join(folder, "node_modules", path)).href);
  const { default: lighthouse } = await load("lighthouse/core/index.js");
  const { launch } = await load("chrome-launcher/dist/index.js");
  const modules = { lighthouse, launch } as Modules;
  return {
    /** A phone's first visit of a page, by a browser of its own that kept nothing. */
    visit: (url: string, cookie?: string): Promise<Scores> => firstVisit(modules, url, cookie),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function firstVisit({ lighthouse, launch }: Modules, url: string, cookie?: string): Promise<Scores> {
  const chromeFlags = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
  const browser = await launch({ chromePath: chromiumPath, chromeFlags });
  try {
    const { lhr } = await lighthouse(url, {
      port: browser.port,
      logLevel: "error",
      onlyCategories: ["performance", "accessibility", "best-practices"],
      ...(cookie === undefined ? {} : { extraHeaders: { Cookie: cookie } }),
    });
    return scoresOf(lhr);
  } finally {
    await browser.kill();
  }
}

function scoresOf({ categories, audits }: Report): Scores {
  const of = (name: string) => Math.round(categories[name]!.score * 100);
  const lost = Object.values(categories)
    .flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))
    .map(({ id }) => audits[id]!)
    .filter(({ score }) => score !== null && score < 1)
    .map(({ title, displayValue = "" }) => `${title} ${displayValue}`.trim());
  return {
    performance: of("performance"),
    accessibility: of("accessibility"),
    bestPractices: of("best-practices"),
    lost: lost.join("; "),
  };
}
