import type { ReaderSettings } from '@carrel/api'
import { useComputedColorScheme } from '@mantine/core'
import { type Colours, coloursOf, textAppearanceOf, styleSheetsOf } from '../../../../reader/ebook/text-appearance.ts'
import { type Paper, paperOf } from '../../../../reader/ebook/paper.ts'
import { type PageLayout, pageLayoutOf } from '../../../../reader/page-layout.ts'
import { useColourScheme } from '../../../../ui/theme/colour-scheme.ts'
import { useWindowSize } from '../../pages/window-size.ts'
import type { Appearance } from '../engine/engine.ts'
import { addressOfFont, useOwnFonts } from './own-fonts.tsx'
import type { OpenEbook } from '../use-ebook-reading.ts'

/** It says how the text is shown: the settings, the colours, and the style sheets that state them to the engine. */
export interface EbookAppearance extends Appearance {
  readonly colours: Colours
  /** The colours of what stands around the text. */
  readonly paper: Paper
  /** Pages of fixed layout are shown like those of comics. */
  readonly pages: PageLayout
}

export const useEbookAppearance = (settings: ReaderSettings, { map, isRightToLeft }: OpenEbook): EbookAppearance => {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const app = useColourScheme() === 'oled' ? 'oled' : scheme
  const text = textAppearanceOf(settings)
  const colours = coloursOf(text, app)
  const own = useOwnFonts().find(({ id }) => text.textFont === `own:${id}`)
  const font = own && { address: addressOfFont(own.id) }
  const window = useWindowSize()
  const pages = pageLayoutOf(
    { ...settings, direction: 'auto' },
    { bookDirection: isRightToLeft ? 'rtl' : 'ltr', window },
  )
  const hasSpreads = settings.spreads === 'double' || map.fixed?.hasSpreads === true
  return {
    text,
    colours,
    paper: paperOf(colours),
    sheets: styleSheetsOf(text, colours, font),
    pages,
    isDouble: pages.isDouble && hasSpreads,
  }
}
