/** Red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** What the accent is text on: the surfaces of the style sheet, the lightest and the darkest of a theme among them. */
const grounds = {
  light: ["#ffffff", "#fafafa", "#f7f8f9"].map(rgbOf),
  dark: ["#10151c", "#181f29", "#1d2531"].map(rgbOf),
};
/** Contrasts that WCAG 2.2 requires, of texts and of shapes. */
const [TEXT, SHAPE] = [4.5, 3];
const STEPS = 200;
/** The share of the accent in the ground of what is chosen. */
const WASH = 0.1;

/** The parts of `#7a1f5c`. */
export function rgbOf(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}
const hexOf = (rgb: Rgb): string => `#${rgb.map((one) => one.toString(16).padStart(2, "0")).join("")}`;

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
/** The contrast of two colours, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(a, b) / Math.min(a, b);
}
const mix = (one: Rgb, other: Rgb, share: number): Rgb =>
  one.map((value, at) => Math.round(value * share + other[at]! * (1 - share))) as unknown as Rgb;

/** Whether a colour can be read on all grounds of a theme, and on a wash of itself. */
const readsOn = (theme: "light" | "dark") => (rgb: Rgb) =>
  [...grounds[theme], mix(rgb, grounds[theme][theme === "light" ? 0 : 1]!, WASH)].every(
    (ground) => contrast(rgb, ground) >= TEXT,
  );
const inLight = readsOn("light");
const inDark = readsOn("dark");
const isDarkButton = (rgb: Rgb) => contrast(rgb, WHITE) >= TEXT && contrast(rgb, grounds.dark[1]!) >= SHAPE;

/** The first shade on the way to black or white that passes. */
function nearest(rgb: Rgb, end: Rgb, passes: (one: Rgb) => boolean): Rgb {
  for (let at = 0; at < STEPS; at++) {
    const shade = mix(end, rgb, at / STEPS);
    if (passes(shade)) return shade;
  }
  return end;
}

/** A colour as the pages of both themes use it. */
export interface Accent {
  readonly light: string;
  /** Of texts on dark grounds. */
  readonly dark: string;
  /** Of buttons on dark grounds, below white text. */
  readonly darkButton: string;
}

/** The nearest darker colour that can be read on light pages; the colour itself where it can. */
export const readable = (hex: string): string => hexOf(nearest(rgbOf(hex), BLACK, inLight));

/** The shades of a colour that can be read on light pages. */
export function accentOf(hex: string): Accent {
  const rgb = rgbOf(hex);
  return {
    light: hex,
    dark: hexOf(nearest(rgb, WHITE, inDark)),
    darkButton: hexOf(nearest(rgb, WHITE, isDarkButton)),
  };
}

/** The style sheet of a colour: the variables that the framework's pages have. */
export function styleSheet(hex: string): string {
  const { light, dark, darkButton } = accentOf(hex);
  const pair = (one: string, other: string) => `light-dark(${one},${other})`;
  const [text, button] = [pair(light, dark), pair(light, darkButton)];
  const wash = `color-mix(in srgb,${text} 10%,var(--fw-surface))`;
  return [
    `:root,[data-bs-theme]{--fw-accent:${text};--fw-accent-wash:${wash};--tblr-primary:${button};--tblr-primary-rgb:${rgbOf(light).join()};--tblr-primary-darken:color-mix(in srgb,${button} 85%,#000)}`,
    `[data-bs-theme="dark"]{--tblr-primary-rgb:${rgbOf(darkButton).join()}}`,
    `.fw-brand-mark{background:${light}}`,
  ].join("\n");
}
