import { type ReactNode, useId } from 'react'
import type { Accent } from '../../ui/theme/accent.ts'
import type { ColourScheme } from '../../ui/theme/colour-scheme.ts'

interface Colours {
  readonly ground: string
  readonly side: string
  readonly text: string
  readonly line: string
  readonly accent: string
}

/** Each picture shows another look than the page that it is on: its colours are those of base.css and looks.css. */
const coloursOfScheme: Readonly<Record<Exclude<ColourScheme, 'system'>, Colours>> = {
  light: { ground: '#f7f7f5', side: '#f0f0ec', text: '#1d1f1e', line: '#deded9', accent: '#1f6f6b' },
  dark: { ground: '#141615', side: '#101211', text: '#e9ebea', line: '#2c302e', accent: '#84c3ba' },
  oled: { ground: '#000000', side: '#000000', text: '#e9ebea', line: '#2b2f2d', accent: '#84c3ba' },
  sepia: { ground: '#f4ecd9', side: '#eee4cd', text: '#33291c', line: '#ddd0b3', accent: '#1f6f6b' },
  eink: { ground: '#ffffff', side: '#ffffff', text: '#000000', line: '#6e6e6e', accent: '#000000' },
}

/** Covers stand in it, whose colours are the same in every look but on electronic paper. */
const covers = ['#7b3f58', '#2b66b4', '#b4742b', '#3f7a52'] as const

/** A page of the app, small. */
export const SchemePicture = ({ scheme }: { readonly scheme: ColourScheme }): ReactNode => {
  const clip = useId()
  return (
    <svg viewBox="0 0 120 76" aria-hidden="true" focusable="false">
      <defs>
        <clipPath id={`${clip}-whole`}>
          <rect width="120" height="76" rx="7" />
        </clipPath>
        <clipPath id={`${clip}-half`}>
          <path d="M72 0h48v76H48z" />
        </clipPath>
      </defs>
      <g clipPath={`url(#${clip}-whole)`}>
        <PageOf colours={coloursOfScheme[scheme === 'system' ? 'light' : scheme]} isGrey={scheme === 'eink'} />
        {scheme === 'system' ? (
          <g clipPath={`url(#${clip}-half)`}>
            <PageOf colours={coloursOfScheme.dark} />
          </g>
        ) : null}
      </g>
      <rect x="0.5" y="0.5" width="119" height="75" rx="6.5" fill="none" stroke="var(--line)" />
    </svg>
  )
}

const PageOf = ({ colours, isGrey = false }: { readonly colours: Colours; readonly isGrey?: boolean }): ReactNode => {
  const { ground, side, text, line, accent } = colours
  return (
    <>
      <rect width="120" height="76" fill={ground} />
      <path d="M0 0h26v76H0z" fill={side} />
      <path d="M26 0v76" stroke={line} />
      <path d="M6 14h14M6 22h11M6 30h13M6 38h9" stroke={text} strokeWidth="2.5" strokeLinecap="round" opacity="0.55" />
      <path d="M34 13h34" stroke={text} strokeWidth="4" strokeLinecap="round" />
      <path d="M34 22h22" stroke={text} strokeWidth="2.5" strokeLinecap="round" opacity="0.55" />
      <rect x="34" y="29" width="22" height="8" rx="4" fill={accent} />
      {covers.map((cover, index) => (
        <rect
          key={cover}
          x={34 + index * 21}
          y="45"
          width="17"
          height="25"
          rx="2"
          fill={isGrey ? '#8c8c8c' : cover}
          stroke={isGrey ? '#000' : 'none'}
        />
      ))}
    </>
  )
}

const ofAccents: Readonly<Record<Exclude<Accent, 'covers'>, string>> = {
  verdigris: '#1f6f6b',
  blue: '#215da5',
  violet: '#644b9e',
  rose: '#95385b',
  rust: '#97400d',
  moss: '#4e6801',
  slate: '#505f70',
}

/** A drop of the colour; for the colours of covers a few of them. */
export const AccentPicture = ({ accent }: { readonly accent: Accent }): ReactNode => (
  <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    {accent === 'covers' ? (
      <>
        <rect x="2" y="6" width="13" height="20" rx="2" fill={covers[0]} />
        <rect x="10" y="6" width="13" height="20" rx="2" fill={covers[1]} stroke="var(--surface-raised)" />
        <rect x="18" y="6" width="13" height="20" rx="2" fill={covers[2]} stroke="var(--surface-raised)" />
      </>
    ) : (
      <circle cx="16" cy="16" r="13" fill={ofAccents[accent]} />
    )}
  </svg>
)
