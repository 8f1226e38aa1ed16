/** Makes ten seconds of quiet sound: overlapping tones in the ratios of a just chord. */
import { ffmpeg } from "./ffmpeg";

/** Samples per second. */
const rate = 22_050;
/** Duration of the sound in seconds. */
export const soundSeconds = 10;

/** Frequency of the ground tone in hertz; the voices with their ratio to it, loudness, and the seconds of their swelling. */
const ground = 110;
const voices: readonly (readonly [ratio: number, loudness: number, period: number])[] = [
  [1, 0.5, 10],
  [3 / 2, 0.34, 5],
  [2, 0.3, 10 / 3],
  [9 / 4, 0.2, 2.5],
  [3, 0.16, 5],
  [15 / 4, 0.09, 2],
  [5, 0.05, 10 / 3],
];

/** Bells: their start in seconds, and their ratio to the ground tone. */
const bells: readonly (readonly [at: number, ratio: number])[] = [
  [0.6, 6],
  [2.5, 5],
  [3.75, 8],
  [5.6, 9],
  [6.9, 6],
  [8.1, 7.5],
];

/** Encodes AAC in MP4, which all common browsers play. */
export const makeSound = (): Buffer =>
  ffmpeg(
    ["-f", "wav", "-i", "pipe:0", "-c:a", "aac", "-b:a", "96k", "-movflags", "+faststart"],
    createWav(),
    "m4a",
  );

/** Returns the sound as WAV (PCM, 16 bit, mono). */
function createWav(): Buffer {
  const count = rate * soundSeconds;
  const samples = new Float32Array(count);
  voices.forEach(([ratio, loudness, period], k) => {
    // Each tone has a whole number of periods in ten seconds, so that the sound loops without a click.
    const frequency = Math.round(ground * ratio * soundSeconds) / soundSeconds;
    const detunedFrequency = Math.round(frequency * soundSeconds + 3) / soundSeconds;
    for (let i = 0; i < count; i++) {
      const t = i / rate;
      const swell = 0.55 - 0.45 * Math.cos((2 * Math.PI * t) / period + k * 1.3);
      const tone =
        Math.sin(2 * Math.PI * frequency * t) + 0.5 * Math.sin(2 * Math.PI * detunedFrequency * t + k);
      samples[i] = (samples[i] as number) + loudness * swell * tone;
    }
  });
  for (const [start, ratio] of bells) {
    const frequency = ground * ratio;
    for (let k = 0; k < rate * 3.2; k++) {
      const t = k / rate;
      const i = (Math.round(start * rate) + k) % count;
      const ring = Math.exp(-t * 1.9) * Math.min(1, t * 90);
      const tone =
        Math.sin(2 * Math.PI * frequency * t) +
        0.35 * Math.exp(-t * 3) * Math.sin(2 * Math.PI * frequency * 2.76 * t);
      samples[i] = (samples[i] as number) + 0.15 * ring * tone;
    }
  }
  // Three echoes simulate a room.
  for (const [delay, share] of [
    [0.211, 0.3],
    [0.337, 0.22],
    [0.559, 0.14],
  ] as const) {
    const shift = Math.round(delay * rate);
    const dry = samples.slice();
    for (let i = 0; i < count; i++)
      samples[i] = (samples[i] as number) + share * (dry[(i + count - shift) % count] as number);
  }
  const peak = samples.reduce((m, s) => Math.max(m, Math.abs(s)), 0);

  const file = Buffer.alloc(44 + count * 2);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(36 + count * 2, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(count * 2, 40);
  // A short fade at both ends avoids clicks in players that do not loop.
  const fade = rate * 0.12;
  for (let i = 0; i < count; i++) {
    const gain = Math.min(1, i / fade, (count - 1 - i) / fade);
    file.writeInt16LE(Math.round(((samples[i] as number) / peak) * 0.72 * 32767 * gain), 44 + i * 2);
  }
  return file;
}
