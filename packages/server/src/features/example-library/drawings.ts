/** Drawn by us, for nobody else to own: scenes of a sky, something far, something near, and somebody who looks at it. */
export interface Palette {
  readonly sky: readonly [above: string, below: string]
  readonly light: string
  readonly far: string
  readonly near: string
  readonly figure: string
}

export type Land = 'sea' | 'hills' | 'town'

const [width, height] = [800, 1200]

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** The same for the same numbers, and all over the place for others. */
const chance = (seed: number, index: number): number =>
  Math.abs(Math.sin(seed * 12.9898 + index * 78.233) * 43758.5453) % 1

const lands: Readonly<Record<Land, (palette: Palette, seed: number) => string>> = {
  sea: ({ far, near, light }, seed) =>
    `<rect y="620" width="800" height="580" fill="${far}"/>
    ${range(16)
      .map((n) => {
        const y = 650 + n * 34
        const x = chance(seed, n) * 640
        return `<rect x="${x}" y="${y}" width="${60 + chance(seed, n + 40) * 160}" height="5" rx="2.5" fill="${light}" opacity="${0.15 + chance(seed, n + 80) * 0.35}"/>`
      })
      .join('')}
    <path d="M${180 + chance(seed, 3) * 360} 640 l46 -150 l14 150 z M${250 + chance(seed, 3) * 360} 640 l0 -190 l90 190 z" fill="#fff" opacity=".92"/>
    <path d="M-20 1200 V1010 Q180 940 380 1040 T820 1000 V1200 z" fill="${near}"/>`,
  hills: ({ far, near }, seed) =>
    `<path d="M-20 1200 V760 Q${120 + chance(seed, 1) * 120} ${520 + chance(seed, 2) * 90} 340 720 T820 640 V1200 z" fill="${far}" opacity=".75"/>
    <path d="M-20 1200 V860 Q220 ${680 + chance(seed, 4) * 80} 460 840 T820 780 V1200 z" fill="${far}"/>
    ${range(11)
      .map((n) => {
        const x = n * 76 + chance(seed, n) * 40
        const y = 900 + chance(seed, n + 20) * 60
        return `<path d="M${x} ${y + 90} l34 -${120 + chance(seed, n + 9) * 70} l34 ${120 + chance(seed, n + 9) * 70} z" fill="${near}" opacity=".9"/>`
      })
      .join('')}
    <path d="M-20 1200 V1000 Q260 930 480 1010 T820 980 V1200 z" fill="${near}"/>`,
  town: ({ far, near, light }, seed) =>
    `${range(9)
      .map((n) => {
        const top = 560 + chance(seed, n) * 240
        return `<rect x="${n * 92 - 10}" y="${top}" width="96" height="700" fill="${far}" opacity="${0.7 + chance(seed, n + 5) * 0.3}"/>${range(
          10,
        )
          .map((window) =>
            chance(seed, n * 20 + window) > 0.45
              ? `<rect x="${n * 92 + 8 + (window % 2) * 40}" y="${top + 30 + Math.floor(window / 2) * 62}" width="22" height="32" fill="${light}" opacity=".85"/>`
              : '',
          )
          .join('')}`
      })
      .join('')}
    <path d="M-20 1200 V1040 H820 V1200 z" fill="${near}"/>`,
}

/** Somebody with tufts of hair, seen from behind or from the front. */
const figure = ({ figure: colour }: Palette, { x, y, size, looksAtUs }: Figure): string =>
  `<g transform="translate(${x} ${y}) scale(${size})" fill="${colour}">
    <path d="M-70 210 Q-76 60 0 52 Q76 60 70 210 z"/>
    <circle r="58"/>
    ${range(7)
      .map((n) => `<path d="M${-56 + n * 16} -30 l${8 - n * 2} -${44 + (n % 3) * 12} l18 40 z"/>`)
      .join('')}
    ${
      looksAtUs
        ? '<ellipse cy="6" rx="44" ry="40" fill="#f6dcc3"/><circle cx="-17" cy="4" r="8" fill="#222"/><circle cx="17" cy="4" r="8" fill="#222"/><circle cx="-14" cy="1" r="2.6" fill="#fff"/><circle cx="20" cy="1" r="2.6" fill="#fff"/><path d="M-10 26 q10 8 20 0" fill="none" stroke="#222" stroke-width="3.5" stroke-linecap="round"/>'
        : ''
    }
  </g>`

interface Figure {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly looksAtUs: boolean
}

const bubble = (x: number, y: number): string =>
  `<g transform="translate(${x} ${y})"><path d="M-18 40 l-6 44 l40 -42 z" fill="#fff"/><ellipse rx="104" ry="56" fill="#fff"/>${[
    -18, 2, 22,
  ]
    .map(
      (line, n) =>
        `<rect x="${-58 + n * 8}" y="${line - 4}" width="${116 - n * 16}" height="7" rx="3.5" fill="#2a2a2a" opacity=".75"/>`,
    )
    .join('')}</g>`

const scene = (land: Land, palette: Palette, seed: number): string => {
  const [above, below] = palette.sky
  return `<defs><linearGradient id="s${seed}" x2="0" y2="1"><stop stop-color="${above}"/><stop offset=".75" stop-color="${below}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#s${seed})"/>
    <circle cx="${180 + chance(seed, 7) * 440}" cy="${250 + chance(seed, 8) * 170}" r="${90 + chance(seed, 9) * 50}" fill="${palette.light}"/>
    ${lands[land](palette, seed)}<rect y="1190" width="${width}" height="600" fill="${palette.near}"/>`
}

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`

export const drawCover = (land: Land, palette: Palette, seed: number): string =>
  svg(
    `${scene(land, palette, seed)}${figure(palette, { x: 400, y: 880, size: 1.7, looksAtUs: false })}
    <rect x="26" y="26" width="748" height="1148" fill="none" stroke="#fff" stroke-opacity=".65" stroke-width="5"/>`,
  )

/** Each is a list of panels: where they stand, in hundredths of the page. */
const layouts = [
  [
    [0, 0, 100, 40],
    [0, 41.5, 49, 58.5],
    [51, 41.5, 49, 28],
    [51, 71, 49, 29],
  ],
  [
    [0, 0, 49, 34],
    [51, 0, 49, 34],
    [0, 35.5, 100, 64.5],
  ],
  [
    [0, 0, 100, 26],
    [0, 27.5, 60, 38],
    [62, 27.5, 38, 38],
    [0, 67, 100, 33],
  ],
] as const

export const drawPage = (land: Land, palette: Palette, seed: number): string => {
  const panels = layouts[seed % layouts.length] ?? layouts[0]
  const [left, top, wide, high] = [40, 40, 720, 1120]
  const drawn = panels.map(([x, y, w, h], position) => {
    const own = seed * 7 + position
    const [px, py, pw, ph] = [left + (x * wide) / 100, top + (y * high) / 100, (w * wide) / 100, (h * high) / 100]
    const scale = Math.max(pw / width, ph / height) * (1 + chance(own, 2) * 0.5)
    const person = figure(palette, {
      x: 260 + chance(own, 5) * 280,
      y: 760 + chance(own, 6) * 120,
      size: 1.2 + chance(own, 4) * 1.1,
      looksAtUs: chance(own, 3) > 0.4,
    })
    const speaks = chance(own, 11) > 0.4 ? bubble(px + pw * 0.32, py + Math.min(90, ph * 0.25)) : ''
    return `<clipPath id="c${own}"><rect x="${px}" y="${py}" width="${pw}" height="${ph}"/></clipPath>
      <g clip-path="url(#c${own})"><g transform="translate(${px + pw / 2 - (width * scale) / 2} ${py + ph / 2 - 640 * scale}) scale(${scale})">${scene(land, palette, own)}${person}</g>${speaks}</g>
      <rect x="${px}" y="${py}" width="${pw}" height="${ph}" fill="none" stroke="#1a1a1a" stroke-width="5"/>`
  })
  return svg(`<rect width="${width}" height="${height}" fill="#fffdf8"/>${drawn.join('')}`)
}
