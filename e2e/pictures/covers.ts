import { type Palette, range, randomFrom, type Scene, sceneOf } from './scenery.ts'
import type { TitleSetting, Work } from './works.ts'

type Hour = 'night' | 'dusk' | 'day'

const oklch = (lightness: number, chroma: number, hue: number): string =>
  `oklch(${lightness} ${chroma} ${((hue % 360) + 360) % 360})`

const palettes: Readonly<Record<Hour, (hue: number) => Palette>> = {
  night: (hue) => ({
    sky: [oklch(0.2, 0.06, hue), oklch(0.34, 0.11, hue + 20), oklch(0.56, 0.13, hue + 50)],
    far: oklch(0.36, 0.08, hue + 12),
    near: oklch(0.13, 0.035, hue),
    light: oklch(0.9, 0.1, hue + 150),
  }),
  dusk: (hue) => ({
    sky: [oklch(0.36, 0.12, hue), oklch(0.6, 0.16, hue + 42), oklch(0.83, 0.12, hue + 80)],
    far: oklch(0.5, 0.11, hue + 18),
    near: oklch(0.19, 0.05, hue - 10),
    light: oklch(0.94, 0.08, hue + 85),
  }),
  day: (hue) => ({
    sky: [oklch(0.66, 0.1, hue), oklch(0.8, 0.08, hue + 8), oklch(0.94, 0.05, hue + 70)],
    far: oklch(0.62, 0.09, hue - 25),
    near: oklch(0.27, 0.06, hue - 30),
    light: oklch(0.98, 0.05, 95),
  }),
}

const hours: readonly Hour[] = ['dusk', 'night', 'day']

/** Volumes of a series look like each other: the same kind of land and colours that turn slowly. */
const sceneFor = (work: Work, volume: number): Scene => {
  const hour = work.hour ?? hours[volume % hours.length] ?? 'dusk'
  return {
    palette: palettes[hour](work.hue + (volume - 1) * (work.turn ?? 11)),
    land: work.lands[volume % work.lands.length] ?? 'hills',
    subject: work.subjects[volume % work.subjects.length] ?? 'wanderer',
    seed: work.hue * 100 + volume * 7 + work.title.length,
    isNight: hour === 'night',
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const fullSize = 'position:absolute;inset:0;width:100%;height:100%;display:block'
const picture = (scene: Scene, viewBox = '0 0 600 900'): string =>
  `<svg viewBox="${viewBox}" preserveAspectRatio="xMidYMid slice" style="${fullSize}">${sceneOf(scene)}</svg>`

const settings = {
  poster: ({ title, author }: Work, volume: number, light: string) => `
    <div style="position:absolute;inset:34px 30px auto;font:400 ${title.length > 16 ? 92 : 118}px/.86 'Bebas Neue';letter-spacing:.5px;text-align:center;color:${light};text-shadow:0 3px 18px rgb(0 0 0/.45)">${escaped(title)}</div>
    <div style="position:absolute;left:34px;bottom:32px;font:600 19px 'Inter Variable';letter-spacing:1.5px;color:${light};text-transform:uppercase">${escaped(author)}</div>
    ${volumeMark(volume, light, "400 88px/1 'Bebas Neue'")}`,
  hero: ({ title, author }: Work, volume: number, light: string) => `
    <div style="position:absolute;inset:30px 26px auto;font:400 78px/.95 'Righteous';color:${light};text-shadow:4px 4px 0 rgb(0 0 0/.5)">${escaped(title)}</div>
    <div style="position:absolute;left:28px;bottom:34px;font:600 19px 'Inter Variable';color:${light}">${escaped(author)}</div>
    ${volumeMark(volume, light, "400 72px/1 'Righteous'")}`,
  quiet: ({ title, author }: Work, volume: number, light: string) => `
    <div style="position:absolute;inset:56px 48px auto;font:600 62px/1.06 'Playfair Display';text-align:center;color:${light};text-shadow:0 2px 20px rgb(0 0 0/.4)">${escaped(title)}</div>
    <div style="position:absolute;inset:auto 0 44px;text-align:center;font:500 22px 'Source Serif 4 Variable';letter-spacing:1px;color:${light}">${escaped(author)}</div>
    ${volumeMark(volume, light, "600 50px/1 'Playfair Display'")}`,
  grand: ({ title, author }: Work, volume: number, light: string) => `
    <div style="position:absolute;inset:42px 30px auto;font:700 58px/1.08 'Cinzel';text-align:center;letter-spacing:2px;color:${light};text-shadow:0 2px 16px rgb(0 0 0/.5)">${escaped(title)}</div>
    <div style="position:absolute;inset:auto 0 38px;text-align:center;font:500 21px 'Cinzel';letter-spacing:3px;color:${light}">${escaped(author)}</div>
    ${volumeMark(volume, light, "700 44px/1 'Cinzel'")}`,
} as const satisfies Record<TitleSetting, (work: Work, volume: number, light: string) => string>

const volumeMark = (volume: number, colour: string, font: string): string =>
  volume > 0
    ? `<div style="position:absolute;right:34px;bottom:26px;font:${font};color:${colour};text-shadow:0 2px 12px rgb(0 0 0/.5)">${volume}</div>`
    : ''

export const coverOf = (work: Work, volume: number): string => {
  const scene = sceneFor(work, Math.max(volume, 1))
  return `${picture(scene)}${settings[work.setting ?? 'poster'](work, volume, scene.palette.light)}`
}

/** Novels have cloth: one colour, a frame, and a sign of their own. */
export const clothOf = ({ title, author, hue }: Pick<Work, 'title' | 'author' | 'hue'>): string => {
  const random = randomFrom(hue + title.length * 31)
  const [ground, line] = [oklch(0.34 + random() * 0.12, 0.09, hue), oklch(0.88, 0.06, hue + 55)]
  const rings = range(7 + Math.floor(random() * 5))
  const signs = [
    () => rings.map((ring) => `<circle cx="300" cy="520" r="${24 + ring * 22}"/>`).join(''),
    () =>
      rings
        .map((ring) => `<path d="M300 ${380 + ring * 26} q${60 + ring * 8} 60 0 130 q${-60 - ring * 8} -70 0 -130 z"/>`)
        .join(''),
    () =>
      range(18)
        .map(
          (ray) =>
            `<line x1="300" y1="520" x2="${300 + Math.cos((ray * Math.PI) / 9) * 170}" y2="${520 + Math.sin((ray * Math.PI) / 9) * 170}"/>`,
        )
        .join('') + '<circle cx="300" cy="520" r="62"/>',
    () => rings.map((ring) => `<path d="M${120 + ring * 6} ${430 + ring * 24} q90 -50 180 0 t180 0"/>`).join(''),
  ]
  const sign = signs[Math.floor(random() * signs.length)] ?? signs[0]
  return `<div style="${fullSize};background:${ground}"></div>
    <svg viewBox="0 0 600 900" style="${fullSize}"><g fill="none" stroke-width="3" style="stroke:${line}"><rect x="34" y="34" width="532" height="832" rx="4"/><rect x="46" y="46" width="508" height="808" rx="2" opacity=".6"/>${sign?.() ?? ''}</g>
    <filter id="cloth" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" baseFrequency=".9 .35" numOctaves="2" seed="${hue}"/><feColorMatrix values="0 0 0 0 .5 0 0 0 0 .5 0 0 0 0 .5 0 0 0 .7 0"/></filter><rect width="600" height="900" filter="url(#cloth)" opacity=".22" style="mix-blend-mode:overlay"/></svg>
    <div style="position:absolute;inset:92px 80px auto;text-align:center;font:600 ${title.length > 18 ? 52 : 64}px/1.1 'Playfair Display';color:${line}">${escaped(title)}</div>
    <div style="position:absolute;inset:auto 70px 92px;text-align:center;font:500 26px 'Source Serif 4 Variable';letter-spacing:1px;color:${line}">${escaped(author)}</div>`
}

const grids = [
  "'a a' 1.1fr 'b c' 1fr 'd d' .8fr",
  "'a b' .8fr 'c c' 1.2fr 'd e' .9fr",
  "'a a' .7fr 'b b' 1.3fr 'c d' .8fr",
  "'a b' 1fr 'a c' 1fr 'd d' .9fr",
] as const

const lines = [
  'Someone is still up there.',
  'Did you hear that?',
  'We were told nobody had come back.',
  '…',
  'Then we go tonight.',
  'It was never about the light.',
  'Hold on to the rope!',
  'You kept it all this time?',
  'One more page, I promise.',
  'The tide turns at six.',
] as const

/** A face, large enough to fill a panel. */
const faceOf = (seed: number, isGrey: boolean): string => {
  const random = randomFrom(seed)
  const hair = isGrey
    ? ['#111', '#3a3a3a', '#777'][Math.floor(random() * 3)]
    : oklch(0.3 + random() * 0.35, 0.12, random() * 360)
  const skin = isGrey ? '#fafafa' : oklch(0.86, 0.05, 60)
  const gaze = random() * 10 - 5
  const fringe = range(6).map((strand) => `L${112 + strand * 30} ${150 + random() * 66}`)
  const eye = (x: number): string =>
    `<path d="M${x - 22} 232 q22 -26 44 0" fill="none" stroke="#111" stroke-width="5"/><ellipse cx="${x + gaze}" cy="242" rx="13" ry="19" fill="#111"/><circle cx="${x + gaze - 4}" cy="234" r="5" fill="#fff"/>`
  return `<g><path d="M100 390 V210 C100 80 280 80 280 210 V390 Z" fill="${hair}"/><path d="M118 200 C118 120 262 120 262 200 C262 290 224 330 190 334 C156 330 118 290 118 200 Z" fill="${skin}"/>
    ${eye(160)}${eye(222)}<path d="M178 300 q12 ${random() < 0.5 ? 12 : -10} 24 0" fill="none" stroke="#111" stroke-width="4" stroke-linecap="round"/>
    <path d="M104 214 C108 96 272 96 276 214 L262 168 ${fringe.join(' ')} Z" fill="${hair}"/><path d="M70 480 C90 380 160 350 190 352 C220 350 290 380 310 480 Z" fill="${isGrey ? '#222' : oklch(0.4, 0.1, random() * 360)}"/></g>`
}

const bubbleOf = (text: string, isLeft: boolean): string =>
  `<div style="position:absolute;top:14px;${isLeft ? 'left' : 'right'}:14px;max-width:62%;padding:12px 18px;background:#fff;border:3px solid #111;border-radius:48%/50%;text-align:center;font:700 20px/1.15 'Comic Neue';color:#111">${text}</div>`

/** A page of panels: places, faces, and now and then a word. Manga is grey, with a screen over its shadows. */
export const pageOf = (work: Work, page: number): string => {
  const random = randomFrom(work.hue * 13 + page)
  const areas = ['a', 'b', 'c', 'd', 'e']
  const grid = grids[page % grids.length] ?? grids[0]
  const isGrey = work.kind === 'manga'
  const panels = areas
    .filter((area) => new RegExp(`\\b${area}\\b`).test(grid))
    .map((area, index) => {
      const scene = sceneFor({ ...work, hour: undefined }, page + index)
      const isFace = random() < 0.42
      const zoom = 300 + random() * 260
      const view = `${random() * (600 - zoom)} ${260 + random() * (600 - zoom)} ${zoom} ${zoom}`
      const ground = picture({ ...scene, seed: scene.seed + index * 3 + page * 17 }, view)
      const face = isFace
        ? `<svg viewBox="40 60 300 400" preserveAspectRatio="xMidYMax meet" style="${fullSize}">${faceOf(work.hue + page * 5 + index, isGrey)}</svg>`
        : ''
      const words = random() < 0.5 ? bubbleOf(lines[Math.floor(random() * lines.length)] ?? '…', random() < 0.5) : ''
      const screen = isGrey
        ? '<div style="position:absolute;inset:0;background:radial-gradient(#000 22%,transparent 24%) 0 0/5px 5px;opacity:.16"></div>'
        : ''
      return `<div style="position:relative;grid-area:${area};border:4px solid #111;overflow:hidden;${isGrey ? 'filter:grayscale(1) contrast(1.35)' : ''}">${ground}${screen}${face}${words}</div>`
    })
  return `<div style="${fullSize};background:#fff;display:grid;gap:14px;padding:24px;box-sizing:border-box;grid-template:${grid} / 1fr 1fr">${panels.join('')}</div>
    <div style="position:absolute;inset:auto 0 4px;text-align:center;font:400 13px 'Inter Variable';color:#444">${page + 1}</div>`
}
