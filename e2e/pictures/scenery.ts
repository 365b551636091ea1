/** Numbers from 0 to 1 that come again with the same seed, so that a picture is the same whenever it is drawn. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed * 2_654_435_761
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** From the top of the sky to the ground in front; `light` is that of the sun, of windows and of lamps. */
export interface Palette {
  readonly sky: readonly [top: string, middle: string, horizon: string]
  readonly far: string
  readonly near: string
  readonly light: string
}

export interface Scene {
  readonly palette: Palette
  readonly land: keyof typeof lands
  readonly subject: keyof typeof subjects
  readonly seed: number
  readonly isNight?: boolean
}

const mixed = (one: string, other: string, share: number): string =>
  `color-mix(in oklab, ${one} ${Math.round((1 - share) * 100)}%, ${other})`

type Random = () => number

/** A ridge from the left to the right edge, filled down to the ground. */
const ridge = (
  random: Random,
  { y, height, steps, isSharp }: { y: number; height: number; steps: number; isSharp: boolean },
): string => {
  const points = range(steps + 1).map((step) => [(step * 720) / steps - 60, y - random() * height] as const)
  const [first = [0, y]] = points
  const line = isSharp
    ? points.map(([x, at]) => `L${x} ${at}`).join(' ')
    : points
        .slice(1)
        .map(([x, at], index) => {
          const [fromX, fromY] = points[index] ?? first
          const middle = (fromX + x) / 2
          return `C${middle} ${fromY} ${middle} ${at} ${x} ${at}`
        })
        .join(' ')
  return `M-60 ${first[1]} ${line} L720 960 L-60 960 Z`
}

const layers = (
  random: Random,
  palette: Palette,
  options: { from: number; count: number; height: number; isSharp: boolean },
): string =>
  range(options.count)
    .map((layer) => {
      const share = options.count === 1 ? 1 : layer / (options.count - 1)
      const y = options.from + (layer * (900 - options.from)) / (options.count + 0.4)
      const path = ridge(random, {
        y,
        height: options.height * (0.6 + share * 0.6),
        steps: options.isSharp ? 9 : 5,
        isSharp: options.isSharp,
      })
      return `<path d="${path}" style="fill:${mixed(palette.far, palette.near, share)}"/>`
    })
    .join('')

const glints = (random: Random, light: string, from: number): string =>
  range(60)
    .map(() => {
      const depth = random()
      const y = from + 6 + depth * (890 - from)
      const width = 12 + depth * 90 * random()
      return `<rect x="${random() * 620 - 20}" y="${y}" width="${width}" height="${1.5 + depth * 3}" rx="2" style="fill:${light}" opacity="${0.12 + random() * 0.3}"/>`
    })
    .join('')

const tower = (random: Random, palette: Palette, layer: number): string => {
  const share = layer / 2
  return range(9)
    .map((index) => {
      const width = 46 + random() * 60
      const height = 150 + random() * (300 - layer * 60)
      const x = index * 78 - 40 + random() * 26
      const top = 720 + layer * 60 - height
      const windows = range(Math.floor(height / 30))
        .flatMap((row) => range(Math.floor(width / 20)).map((column) => [row, column] as const))
        .filter(() => random() < 0.34)
        .map(
          ([row, column]) =>
            `<rect x="${x + 8 + column * 19}" y="${top + 14 + row * 28}" width="8" height="13" style="fill:${palette.light}" opacity="${0.35 + share * 0.5}"/>`,
        )
        .join('')
      return `<rect x="${x}" y="${top}" width="${width}" height="${960 - top}" style="fill:${mixed(palette.far, palette.near, share)}"/>${windows}`
    })
    .join('')
}

const pine = (x: number, y: number, height: number, colour: string): string => {
  const tiers = range(4).map((tier) => {
    const half = height * (0.13 + tier * 0.055)
    const top = y - height + tier * height * 0.2
    return `<path d="M${x} ${top} L${x + half} ${top + height * 0.34} L${x - half} ${top + height * 0.34} Z"/>`
  })
  return `<g style="fill:${colour}">${tiers.join('')}<rect x="${x - 4}" y="${y - height * 0.1}" width="8" height="${height * 0.16}"/></g>`
}

/** What lies below the sky. */
const lands = {
  hills: (random: Random, palette: Palette) =>
    layers(random, palette, { from: 520, count: 5, height: 90, isSharp: false }),
  mountains: (random: Random, palette: Palette) =>
    `${layers(random, palette, { from: 500, count: 3, height: 210, isSharp: true })}${layers(random, { ...palette, far: palette.near }, { from: 780, count: 2, height: 50, isSharp: false })}`,
  sea: (random: Random, palette: Palette) =>
    `<path d="${ridge(random, { y: 560, height: 60, steps: 6, isSharp: false })}" style="fill:${palette.far}"/>
     <rect x="-60" y="560" width="720" height="400" style="fill:${mixed(palette.far, palette.near, 0.55)}"/>
     ${glints(random, palette.light, 560)}
     <path d="${ridge(random, { y: 830, height: 46, steps: 4, isSharp: false })}" style="fill:${palette.near}"/>`,
  city: (random: Random, palette: Palette) =>
    `${range(3)
      .map((layer) => tower(random, palette, layer))
      .join('')}<rect x="-60" y="812" width="720" height="150" style="fill:${palette.near}"/>`,
  forest: (random: Random, palette: Palette) =>
    `${layers(random, palette, { from: 560, count: 2, height: 80, isSharp: false })}${range(3)
      .map((layer) =>
        range(12 - layer * 3)
          .map(() =>
            pine(
              random() * 640 - 20,
              740 + layer * 85,
              150 + layer * 90 + random() * 70,
              mixed(palette.far, palette.near, 0.4 + layer * 0.3),
            ),
          )
          .join(''),
      )
      .join(
        '',
      )}<path d="${ridge(random, { y: 850, height: 30, steps: 4, isSharp: false })}" style="fill:${palette.near}"/>`,
  dunes: (random: Random, palette: Palette) =>
    layers(random, palette, { from: 560, count: 4, height: 120, isSharp: false }),
} as const

const person = (x: number, y: number, size: number, colour: string): string =>
  `<g transform="translate(${x} ${y}) scale(${size})" style="fill:${colour}"><circle cx="0" cy="-92" r="17"/><path d="M0 -76 C26 -74 30 -40 40 6 L-40 6 C-30 -40 -26 -74 0 -76 Z"/></g>`

/** Who or what it is about, in front. */
const subjects = {
  wanderer: (random: Random, { near, light }: Palette) => {
    const x = 240 + random() * 120
    return `${person(x, 748, 1.35, near)}<line x1="${x + 44}" y1="600" x2="${x + 44}" y2="752" stroke-width="6" style="stroke:${near}"/>
      <circle cx="${x + 44}" cy="606" r="46" style="fill:${light}" opacity=".22"/><circle cx="${x + 44}" cy="606" r="13" style="fill:${light}"/>`
  },
  pair: (random: Random, { near }: Palette) => {
    const x = 250 + random() * 80
    return `${person(x, 752, 1.3, near)}${person(x + 86, 756, 0.9, near)}`
  },
  boat: (random: Random, { near, light }: Palette) => {
    const x = 220 + random() * 160
    return `<g transform="translate(${x} 690)"><path d="M-74 0 H78 L52 34 H-52 Z" style="fill:${near}"/><path d="M6 -150 V-8 H-64 Z" style="fill:${light}" opacity=".92"/><path d="M14 -116 V-8 H64 Z" style="fill:${light}" opacity=".66"/></g>`
  },
  lighthouse: (random: Random, { near, light }: Palette) => {
    const x = 380 + random() * 90
    return `<path d="M${x} 470 L-60 330 L-60 560 Z" style="fill:${light}" opacity=".2"/><path d="M${x} 470 L680 400 L680 560 Z" style="fill:${light}" opacity=".14"/>
      <g transform="translate(${x} 800)"><path d="M-30 0 L-20 -300 H20 L30 0 Z" style="fill:${near}"/><rect x="-26" y="-346" width="52" height="46" style="fill:${light}"/><path d="M-36 -346 L0 -392 L36 -346 Z" style="fill:${near}"/><path d="M-24 -190 H24 L26 -140 H-26 Z" style="fill:${light}" opacity=".55"/></g>`
  },
  giant: (random: Random, { near, light }: Palette) => {
    const x = 290 + random() * 40
    return `<g transform="translate(${x} 850)" style="fill:${near}"><path d="M-120 0 L-96 -210 L-150 -330 L-120 -400 H120 L150 -330 L96 -210 L120 0 H40 L26 -150 H-26 L-40 0 Z"/><rect x="-52" y="-490" width="104" height="92" rx="18"/><rect x="-34" y="-456" width="68" height="18" rx="9" style="fill:${light}"/><circle cx="0" cy="-320" r="26" style="fill:${light}" opacity=".85"/></g>${person(130, 780, 0.6, near)}`
  },
  castle: (random: Random, { near, light }: Palette) => {
    const x = 240 + random() * 120
    return `<g transform="translate(${x} 690)" style="fill:${near}"><path d="M-150 110 L-110 -60 H-70 V-150 L-50 -190 L-30 -150 V-90 H30 V-230 L52 -290 L74 -230 V-60 H112 L150 110 Z"/>${range(
      5,
    )
      .map(
        (index) =>
          `<rect x="${-58 + index * 30}" y="${-120 + (index % 3) * 44}" width="9" height="20" style="fill:${light}"/>`,
      )
      .join('')}</g>`
  },
  tree: (random: Random, { near, light, far }: Palette) => {
    const x = 270 + random() * 60
    const leaves = range(26)
      .map(
        () =>
          `<circle cx="${x + (random() - 0.5) * 300}" cy="${500 + (random() - 0.5) * 190}" r="${34 + random() * 40}"/>`,
      )
      .join('')
    return `<path d="M${x - 26} 840 C${x - 8} 700 ${x - 12} 620 ${x - 60} 540 L${x - 20} 600 L${x} 520 L${x + 18} 610 L${x + 70} 540 C${x + 20} 640 ${x + 12} 720 ${x + 30} 840 Z" style="fill:${near}"/><g style="fill:${mixed(far, light, 0.18)}" opacity=".94">${leaves}</g>`
  },
  comet: (random: Random, { light, near }: Palette) => {
    const x = 380 + random() * 80
    return `${range(7)
      .map(
        (index) =>
          `<line x1="${x}" y1="330" x2="${x - 330 + index * 14}" y2="${640 - index * 26}" stroke-width="${26 - index * 3}" stroke-linecap="round" style="stroke:${light}" opacity="${0.08 + index * 0.05}"/>`,
      )
      .join('')}<circle cx="${x}" cy="330" r="30" style="fill:${light}"/>${person(210, 750, 1.1, near)}`
  },
  train: (random: Random, { near, light }: Palette) => {
    const y = 690 + random() * 40
    const coaches = range(5)
      .map(
        (coach) =>
          `<rect x="${-90 + coach * 152}" y="${y}" width="144" height="62" rx="10" style="fill:${near}"/>${range(4)
            .map(
              (index) =>
                `<rect x="${-76 + coach * 152 + index * 32}" y="${y + 14}" width="20" height="20" rx="4" style="fill:${light}"/>`,
            )
            .join('')}`,
      )
      .join('')
    return `<rect x="-60" y="${y + 66}" width="720" height="10" style="fill:${near}"/>${range(8)
      .map(
        (index) =>
          `<path d="M${index * 92 - 30} ${y + 76} q46 -2 46 90 v120 h-92 v-120 q0 -92 46 -90 z" style="fill:${near}"/>`,
      )
      .join('')}${coaches}`
  },
  whale: (random: Random, { near, light }: Palette) => {
    const y = 420 + random() * 60
    return `<g transform="translate(300 ${y}) rotate(-12)"><path d="M-230 10 C-150 -110 90 -120 190 -20 C214 -60 250 -84 286 -80 C262 -50 256 -20 270 24 C236 22 212 16 192 6 C100 92 -140 96 -230 10 Z" style="fill:${near}"/><path d="M-226 14 C-150 60 -20 70 60 50 C0 84 -150 80 -226 14 Z" style="fill:${light}" opacity=".4"/><circle cx="-160" cy="-12" r="6" style="fill:${light}"/></g>${person(300, 752, 0.9, near)}`
  },
  birds: (random: Random, { near }: Palette) =>
    range(9)
      .map(() => {
        const x = 80 + random() * 440
        const y = 300 + random() * 240
        const size = 14 + random() * 26
        return `<path d="M${x - size} ${y} q${size / 2} ${-size * 0.7} ${size} 0 q${size / 2} ${-size * 0.7} ${size} 0" fill="none" stroke-width="${size / 6}" stroke-linecap="round" style="stroke:${near}"/>`
      })
      .join('') + person(310, 750, 1.2, near),
} as const

const stars = (random: Random): string =>
  range(90)
    .map(
      () =>
        `<circle cx="${random() * 600}" cy="${random() * 520}" r="${0.6 + random() * 1.6}" fill="#fff" opacity="${0.25 + random() * 0.65}"/>`,
    )
    .join('')

const clouds = (random: Random, colour: string): string =>
  range(5)
    .map(() => {
      const x = random() * 600
      const y = 260 + random() * 220
      return `<ellipse cx="${x}" cy="${y}" rx="${120 + random() * 130}" ry="${9 + random() * 14}" style="fill:${colour}" opacity=".2" filter="url(#soft)"/>`
    })
    .join('')

/** It draws a scene into a field of 600 by 900, of which any part may be shown. */
export const sceneOf = ({ palette, land, subject, seed, isNight = false }: Scene): string => {
  const random = randomFrom(seed)
  const [top, middle, horizon] = palette.sky
  const orb = { x: 150 + random() * 300, y: 330 + random() * 110, r: 52 + random() * 46 }
  const id = `s${seed}`
  return `<defs>
    <linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" style="stop-color:${top}"/><stop offset=".5" style="stop-color:${middle}"/><stop offset=".72" style="stop-color:${horizon}"/></linearGradient>
    <radialGradient id="${id}g"><stop offset="0" style="stop-color:${palette.light}" stop-opacity=".75"/><stop offset="1" style="stop-color:${palette.light}" stop-opacity="0"/></radialGradient>
    <radialGradient id="${id}v" cy=".42" r=".82"><stop offset=".55" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".42"/></radialGradient>
    <filter id="soft"><feGaussianBlur stdDeviation="8"/></filter>
    <filter id="grain" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" baseFrequency=".82" numOctaves="2" seed="${seed}"/><feColorMatrix values="0 0 0 0 .5 0 0 0 0 .5 0 0 0 0 .5 0 0 0 .55 0"/></filter>
  </defs>
  <rect x="-60" width="720" height="960" fill="url(#${id})"/>
  ${isNight ? stars(random) : ''}
  <circle cx="${orb.x}" cy="${orb.y}" r="${orb.r * 3.6}" fill="url(#${id}g)"/>
  <circle cx="${orb.x}" cy="${orb.y}" r="${orb.r}" style="fill:${palette.light}"/>
  ${clouds(random, palette.light)}
  ${lands[land](random, palette)}
  ${subjects[subject](random, palette)}
  <rect x="-60" width="720" height="960" fill="url(#${id}v)"/>
  <rect x="-60" width="720" height="960" filter="url(#grain)" opacity=".16" style="mix-blend-mode:overlay"/>`
}
