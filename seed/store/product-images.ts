/** Draws the images of the demo store's products: the motif's pattern on the product's shape. */
import sharp from "sharp";
import type { KindId, MotifId } from "./catalog";

const INK = "#1d2b53";
const PAPER = "#f4efe4";

/** Patterns, each in a square of 40 units. */
const PATTERNS: Readonly<Record<MotifId, string>> = {
  seigaiha:
    '<g fill="none" stroke="#1d2b53" stroke-width="2"><circle cx="20" cy="40" r="18"/><circle cx="20" cy="40" r="11"/><circle cx="0" cy="20" r="18"/><circle cx="40" cy="20" r="18"/><circle cx="0" cy="20" r="11"/><circle cx="40" cy="20" r="11"/></g>',
  asanoha:
    '<g stroke="#1d2b53" stroke-width="1.6" fill="none"><path d="M0 0L40 40M40 0L0 40M20 0V40M0 20H40M0 0L20 8L40 0M0 40L20 32L40 40M0 0L8 20L0 40M40 0L32 20L40 40"/></g>',
  ichimatsu:
    '<rect width="20" height="20" fill="#1d2b53"/><rect x="20" y="20" width="20" height="20" fill="#1d2b53"/>',
  namima:
    '<path d="M0 10Q10 0 20 10T40 10M0 25Q10 15 20 25T40 25M0 38Q10 28 20 38T40 38" fill="none" stroke="#2f5d8a" stroke-width="3"/>',
  enso: '<circle cx="20" cy="20" r="13" fill="none" stroke="#1d2b53" stroke-width="4" stroke-dasharray="70 12"/>',
  hokuten:
    '<g fill="#1d2b53"><circle cx="6" cy="8" r="2"/><circle cx="29" cy="14" r="1.4"/><circle cx="17" cy="30" r="2.4"/><circle cx="36" cy="35" r="1.2"/></g><path d="M6 8L29 14L17 30" stroke="#1d2b53" stroke-width=".6" fill="none"/>',
  sekitei:
    '<path d="M0 6H40M0 14H40M0 22H40M0 30H40M0 38H40" stroke="#8a8675" stroke-width="1.6"/><ellipse cx="22" cy="19" rx="8" ry="5" fill="#4a4a46"/>',
  take: '<path d="M10 0V40M30 0V40" stroke="#47664f" stroke-width="7"/><path d="M6 12H14M26 26H34" stroke="#f4efe4" stroke-width="2"/>',
};

/** Shapes in a square of 400 units, filled with the pattern. */
const SHAPES: Readonly<Record<KindId, string>> = {
  tenugui: '<rect x="130" y="30" width="140" height="340"/>',
  shirt:
    '<path d="M140 70L90 95L60 165L105 185L115 160V340H285V160L295 185L340 165L310 95L260 70Q200 110 140 70Z"/>',
  postcard: '<rect x="110" y="60" width="180" height="270" rx="4"/>',
  cup: '<path d="M115 110H285L268 320Q265 335 250 335H150Q135 335 132 320Z"/>',
  tote: '<path d="M95 150H305V350H95Z"/><path d="M145 150V110Q145 70 200 70T255 110V150" fill="none" stroke="#1d2b53" stroke-width="12"/>',
  print: '<rect x="95" y="45" width="210" height="310"/>',
  notebook:
    '<rect x="115" y="60" width="175" height="280" rx="6"/><path d="M132 60V340" stroke="#1d2b53" stroke-width="4"/>',
  furoshiki: '<path d="M200 60L340 200L200 340L60 200Z"/>',
};

const BACKGROUNDS = ["#e8e4da", "#dfe6ee", "#ece6ef"];

const cachedImages = new Map<string, Promise<Buffer>>();

/** Draws a product image as WebP, `width` pixels wide, but at least 16 and at most 1600. */
export function drawProductImage(
  kind: KindId,
  motif: MotifId,
  number: number,
  width: number,
): Promise<Buffer> {
  const key = `${kind} ${motif} ${number} ${width}`;
  const cachedImage = cachedImages.get(key);
  if (cachedImage) return cachedImage;
  const scale = 1 + number * 0.6;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800" viewBox="0 0 400 400"><defs><pattern id="p" width="40" height="40" patternUnits="userSpaceOnUse" patternTransform="scale(${scale})"><rect width="40" height="40" fill="${PAPER}"/>${PATTERNS[motif]}</pattern></defs><rect width="400" height="400" fill="${BACKGROUNDS[number % BACKGROUNDS.length]}"/><g fill="url(#p)" stroke="${INK}" stroke-width="2">${SHAPES[kind]}</g></svg>`;
  const image = sharp(Buffer.from(svg))
    .resize(Math.min(1600, Math.max(16, width)))
    .webp({ quality: 80 })
    .toBuffer();
  if (cachedImages.size > 2000) cachedImages.clear();
  cachedImages.set(key, image);
  return image;
}
