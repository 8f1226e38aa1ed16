/** Makes the exhibition's leaflet: a cover with the wave disc, and a page with the plan and the list of works. */
import {
  appendBezierCurve,
  clip,
  endPath,
  moveTo,
  PDFDocument,
  type PDFFont,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  rgb,
  StandardFonts,
} from "pdf-lib";
import { objectTexts, workTexts } from "../../seed/demo-texts";
import {
  alcove,
  bench,
  desk,
  doorways,
  lantern,
  objects,
  pointOnWork,
  rooms,
  screens,
  streetDoor,
  wallNormal,
  wallPlane,
  wallThickness,
  works,
} from "../../seed/gallery-plan";

/** Size of A5 in points. */
const page = { width: 419.53, height: 595.28 };
const margin = 36;
const ink = rgb(0.08, 0.12, 0.27);
const pale = rgb(0.66, 0.75, 0.85);
const grey = rgb(0.42, 0.44, 0.5);
const red = rgb(0.79, 0.27, 0.17);
const paper = rgb(0.97, 0.955, 0.915);
const line = rgb(0.78, 0.79, 0.82);

/** Returns the leaflet as a PDF file of two pages. */
export async function makeLeaflet(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle("Indigo and Paper");
  document.setAuthor("Hiroba");
  document.setSubject("Plan and list of works");
  document.setLanguage("en");
  // The date is fixed so that the same input gives the same file.
  document.setCreationDate(new Date("2026-01-01T00:00:00Z"));
  document.setModificationDate(new Date("2026-01-01T00:00:00Z"));
  const light = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  drawCover(document.addPage([page.width, page.height]), light, bold);
  drawPlan(document.addPage([page.width, page.height]), light, bold);
  return document.save({ useObjectStreams: true });
}

function drawCover(sheet: PDFPage, light: PDFFont, bold: PDFFont): void {
  sheet.drawRectangle({ x: 0, y: 0, width: page.width, height: page.height, color: paper });
  const [cx, cy, radius] = [page.width / 2, page.height * 0.6, page.width * 0.36];
  sheet.drawCircle({ x: cx, y: cy, size: radius, color: ink });
  // The wave pattern is clipped to the disc.
  const k = radius * 0.5523;
  sheet.pushOperators(
    pushGraphicsState(),
    moveTo(cx + radius, cy),
    appendBezierCurve(cx + radius, cy + k, cx + k, cy + radius, cx, cy + radius),
    appendBezierCurve(cx - k, cy + radius, cx - radius, cy + k, cx - radius, cy),
    appendBezierCurve(cx - radius, cy - k, cx - k, cy - radius, cx, cy - radius),
    appendBezierCurve(cx + k, cy - radius, cx + radius, cy - k, cx + radius, cy),
    clip(),
    endPath(),
  );
  const r = radius * 0.155;
  for (let row = 0; row * r * 0.56 < 2 * radius + r; row++) {
    const y = cy + radius - row * r * 0.56;
    for (let i = -5; i <= 5; i++) {
      const x = cx + i * 2 * r + (row % 2) * r;
      sheet.drawCircle({ x, y, size: r, color: ink });
      for (const radiusShare of [0.94, 0.7, 0.46, 0.22]) {
        sheet.drawCircle({
          x,
          y,
          size: r * radiusShare,
          borderColor: row % 3 === 0 ? paper : pale,
          borderWidth: r * 0.05,
        });
      }
    }
  }
  sheet.pushOperators(popGraphicsState());
  sheet.drawCircle({ x: cx + radius * 0.93, y: cy + radius * 0.86, size: 18, color: red });
  drawCentred(sheet, "INDIGO AND PAPER", bold, 19, cx, 142, ink, 3.2);
  drawCentred(sheet, "Twelve prints and five objects made by calculation", light, 9.5, cx, 120, grey);
  drawCentred(sheet, "HIROBA", light, 9, cx, 60, ink, 4);
}

function drawCentred(
  sheet: PDFPage,
  text: string,
  font: PDFFont,
  size: number,
  x: number,
  y: number,
  color: ReturnType<typeof rgb>,
  spacing = 0,
): void {
  const width = font.widthOfTextAtSize(text, size) + spacing * (text.length - 1);
  let letterX = x - width / 2;
  for (const character of spacing === 0 ? [text] : text) {
    sheet.drawText(character, { x: letterX, y, size, font, color });
    letterX += font.widthOfTextAtSize(character, size) + spacing;
  }
}

function drawPlan(sheet: PDFPage, light: PDFFont, bold: PDFFont): void {
  sheet.drawText("Plan", { x: margin, y: page.height - margin - 10, size: 12, font: bold, color: ink });
  const scale = (page.width - 2 * margin) / (rooms.cabinet.x1 - rooms.hall.x0 + 2 * wallThickness);
  const top = page.height - margin - 26;
  const px = (x: number): number => margin + (x - rooms.hall.x0 + wallThickness) * scale;
  const py = (z: number): number => top - (z - alcove.z0 + wallThickness) * scale;
  const rectangle = (x0: number, z0: number, x1: number, z1: number, color: ReturnType<typeof rgb>): void =>
    sheet.drawRectangle({ x: px(x0), y: py(z1), width: (x1 - x0) * scale, height: (z1 - z0) * scale, color });

  const spaces = [...Object.values(rooms), alcove];
  for (const { x0, x1, z0, z1 } of spaces)
    rectangle(x0 - wallThickness, z0 - wallThickness, x1 + wallThickness, z1 + wallThickness, ink);
  for (const { x0, x1, z0, z1 } of spaces) rectangle(x0, z0, x1, z1, rgb(1, 1, 1));
  for (const door of doorways) {
    const alongX = door.a.side === "north" || door.a.side === "south";
    const planes = [wallPlane(door.a.room, door.a.side), wallPlane(door.b.room, door.b.side)];
    const [low, high] = [Math.min(...planes), Math.max(...planes)];
    if (alongX) rectangle(door.from, low, door.to, high, rgb(1, 1, 1));
    else rectangle(low, door.from, high, door.to, rgb(1, 1, 1));
  }
  rectangle(rooms.cabinet.x1, screens.z0, rooms.cabinet.x1 + wallThickness, screens.z1, pale);
  rectangle(streetDoor.x0, rooms.entrance.z1, streetDoor.x1, rooms.entrance.z1 + wallThickness, pale);
  sheet.drawRectangle({
    x: px(lantern.x0),
    y: py(lantern.z1),
    width: (lantern.x1 - lantern.x0) * scale,
    height: (lantern.z1 - lantern.z0) * scale,
    borderColor: line,
    borderWidth: 0.6,
    borderDashArray: [3, 3],
  });
  rectangle(
    bench.x - bench.length / 2,
    bench.z - bench.depth / 2,
    bench.x + bench.length / 2,
    bench.z + bench.depth / 2,
    line,
  );
  rectangle(desk.x0, desk.z0, desk.x1, desk.z1, line);

  const drawNumber = (value: number, x: number, y: number): void => {
    sheet.drawCircle({ x, y, size: 5.6, color: ink });
    const text = String(value);
    sheet.drawText(text, {
      x: x - bold.widthOfTextAtSize(text, 6.2) / 2,
      y: y - 2.2,
      size: 6.2,
      font: bold,
      color: rgb(1, 1, 1),
    });
  };
  for (const work of works) {
    const [x, , z] = pointOnWork(work);
    const n = wallNormal(work.side);
    const [ax, , az] = pointOnWork(work, 0);
    const [bx, , bz] = pointOnWork(work, 1);
    sheet.drawLine({
      start: { x: px(ax), y: py(az) },
      end: { x: px(bx), y: py(bz) },
      thickness: 2.2,
      color: red,
    });
    drawNumber(work.number, px(x + n[0] * 0.42), py(z + n[2] * 0.42));
  }
  for (const object of objects) {
    const h = object.baseHalf;
    rectangle(object.x - h, object.z - h, object.x + h, object.z + h, line);
    drawNumber(object.number, px(object.x), py(object.z));
  }

  const listTop = py(rooms.entrance.z1 + wallThickness) - 30;
  sheet.drawText("List of works", { x: margin, y: listTop, size: 12, font: bold, color: ink });
  const entries = [
    ...works.map((work) => ({ number: work.number, title: workTexts[work.id].title.en })),
    ...objects.map((object) => ({ number: object.number, title: objectTexts[object.id].title.en })),
  ];
  const rows = Math.ceil(entries.length / 2);
  entries.forEach(({ number: value, title }, i) => {
    const x = margin + Math.floor(i / rows) * ((page.width - 2 * margin) / 2 + 6);
    const y = listTop - 20 - (i % rows) * 14.4;
    sheet.drawText(String(value).padStart(2, " "), { x, y, size: 8.5, font: bold, color: red });
    // The standard fonts contain only Western European letters, so macrons are removed.
    sheet.drawText(title.normalize("NFD").replace(/\u0304/g, ""), {
      x: x + 20,
      y,
      size: 8.5,
      font: light,
      color: ink,
    });
  });
}
