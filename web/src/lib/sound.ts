/* A few short sounds, made on the spot: a bell, a whistle, brakes. Off until wanted. */

import { prefs } from "./prefs.svelte";

export type Sound = "bell" | "whistle" | "brakes";

let context: AudioContext | null = null;

/** Play it, if sounds are wanted and the browser lets us. */
export function play(sound: Sound): void {
  if (!prefs.sound || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  SOUNDS[sound](context, context.currentTime);
}

const SOUNDS: Record<Sound, (audio: AudioContext, now: number) => void> = {
  // Two strokes of a small bell: a tone and its fifth, dying away.
  bell: (audio, now) => {
    for (const [start, pitch] of [
      [0, 880],
      [0, 1320],
      [0.18, 880],
    ] as const)
      tone(audio, "sine", pitch, now + start, 0.7, 0.12);
  },
  // Three pipes at once, a little out of tune, as steam has it.
  whistle: (audio, now) => {
    for (const pitch of [587, 740, 885]) tone(audio, "triangle", pitch, now, 0.9, 0.06);
  },
  // Steel on steel: noise through a narrow band that sinks.
  brakes: (audio, now) => {
    const length = 0.7;
    const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
    const noise = new AudioBufferSourceNode(audio, { buffer });
    const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: 3200, Q: 9 });
    band.frequency.linearRampToValueAtTime(1800, now + length);
    noise.connect(band).connect(fading(audio, now, length, 0.15));
    noise.start(now);
  },
};

function tone(
  audio: AudioContext,
  type: OscillatorType,
  frequency: number,
  start: number,
  length: number,
  loud: number,
): void {
  const oscillator = new OscillatorNode(audio, { type, frequency });
  oscillator.connect(fading(audio, start, length, loud));
  oscillator.start(start);
  oscillator.stop(start + length);
}

function fading(audio: AudioContext, start: number, length: number, loud: number): GainNode {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0005, start + length);
  gain.connect(audio.destination);
  return gain;
}
