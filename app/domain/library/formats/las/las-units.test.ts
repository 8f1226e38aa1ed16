import { expect, it } from "vitest";
import { inCoordinates, lasFile } from "../../../../../tests/support/model-files/binary-files";
import { readLasUnits } from "./las-units";

const file = lasFile([{ position: [0, 0, 0], colour: [0, 0, 0] }]);
const keys = (...entries: number[]) => inCoordinates(file, { keys: entries });
const wkt = (text: string) => inCoordinates(file, { wkt: text });
const WGS84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],UNIT["degree",0.0174532925199433]]';

/** Length of a degree of longitude and latitude on WGS 84, from the radii of curvature. */
function degreeLengths(latitude: number) {
  const [radius, e2] = [6_378_137, 0.006_694_379_990_14];
  const angle = (latitude * Math.PI) / 180;
  const w = 1 - e2 * Math.sin(angle) ** 2;
  const degree = Math.PI / 180;
  return {
    east: (degree * radius * Math.cos(angle)) / Math.sqrt(w),
    north: (degree * radius * (1 - e2)) / w ** 1.5,
  };
}

it("uses metres if a file states no unit, and feet if it states feet", () => {
  expect(readLasUnits(file, [0, 0])).toEqual({ east: 1, north: 1, up: 1 });
  expect(readLasUnits(keys(3076, 0, 1, 9002), [0, 0])).toEqual({ east: 0.3048, north: 0.3048, up: 0.3048 });
});

it.each([
  ["GeoTIFF keys", keys(1024, 0, 1, 2)],
  ["WKT", wkt(WGS84)],
  ["WKT with heights", wkt(`COMPD_CS["WGS 84 + EGM96",${WGS84},VERT_CS["EGM96",UNIT["metre",1]]]`)],
  ["WKT 2", wkt('GEOGCRS["WGS 84",CS[ellipsoidal,2],ANGLEUNIT["degree",0.0174532925199433]]')],
])("converts degrees to metres if %s state degrees", (_, bytes) => {
  for (const latitude of [0, 36, -60]) {
    const { east, north, up } = readLasUnits(bytes, [139, latitude]);
    const expected = degreeLengths(latitude);
    expect(Math.abs(east - expected.east)).toBeLessThan(1);
    expect(Math.abs(north - expected.north)).toBeLessThan(1);
    expect(up).toBe(1);
  }
});

it("keeps projected metres, and metres that cannot be degrees", () => {
  const projected = wkt(`PROJCS["UTM 54N",${WGS84},UNIT["metre",1]]`);
  expect(readLasUnits(projected, [139, 36])).toEqual({ east: 1, north: 1, up: 1 });
  expect(readLasUnits(keys(1024, 0, 1, 2), [500_000, 4_000_000])).toEqual({ east: 1, north: 1, up: 1 });
});
