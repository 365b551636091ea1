import type { Colours } from './text-appearance.ts'

/** What is written small must be told apart as well as text (WCAG 1.4.3), with a little to spare. */
const contrastMin = 4.6

type Channels = readonly [red: number, green: number, blue: number]

const channelsOf = (colour: string): Channels => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return [red, green, blue]
}

const luminance = (colour: string): number => {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export const contrastOf = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** So much of the first colour, the rest of the second. */
const mixed = (one: string, other: string, part: number): string => {
  const [from, to] = [channelsOf(one), channelsOf(other)]
  const channels = from.map((channel, index) => Math.round(channel * part + (to[index] ?? 0) * (1 - part)))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

const readable = (colours: readonly string[], page: string): string | undefined =>
  colours.find((colour) => contrastOf(colour, page) >= contrastMin)

/** The colours of what stands on the same paper as the text: bars, sheet, foot. */
export interface Paper {
  readonly page: string
  readonly text: string
  readonly quiet: string
  readonly accent: string
  readonly onAccent: string
  readonly line: string
  readonly isDark: boolean
}

/** What a person has chosen for text holds for the rest too, unless nobody could read it in small. */
export const paperOf = ({ page, text, link, isDark }: Colours): Paper => {
  const ink = readable([text, '#000000', '#ffffff'], page) ?? '#000000'
  const quiet = readable(
    [0.68, 0.76, 0.84, 0.92].map((part) => mixed(ink, page, part)),
    page,
  )
  const accent = readable([link, mixed(link, ink, 0.6)], page) ?? ink
  return {
    page,
    text: ink,
    quiet: quiet ?? ink,
    accent,
    onAccent: readable([page, '#ffffff', '#000000'], accent) ?? page,
    line: mixed(ink, page, 0.16),
    isDark,
  }
}
