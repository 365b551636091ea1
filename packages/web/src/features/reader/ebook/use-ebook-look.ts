import type { ReaderSettings } from '@carrel/api'
import { useComputedColorScheme } from '@mantine/core'
import { type Colours, coloursOf, ebookLookOf, styleSheetsOf } from '../../../reader/ebook/ebook-look.ts'
import { type PageLayout as PageLook, lookOf } from '../../../reader/look.ts'
import { useLook } from '../../../ui/theme/look.ts'
import { useWindowSize } from '../window-size.ts'
import type { Dress } from './engine.ts'
import { addressOfFont, useOwnFonts } from './own-fonts.tsx'
import type { OpenEbook } from './use-ebook-place.ts'

/** It says how the text is shown: the settings, the colours, and the style sheets that state them to the engine. */
export interface EbookDress extends Dress {
  readonly colours: Colours
  /** Pages of fixed layout are shown like those of comics. */
  readonly pages: PageLook
}

export const useEbookLook = (said: ReaderSettings, { map, isRightToLeft }: OpenEbook): EbookDress => {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const app = useLook() === 'oled' ? 'oled' : scheme
  const look = ebookLookOf(said)
  const colours = coloursOf(look, app)
  const own = useOwnFonts().find(({ id }) => look.textFont === `own:${id}`)
  const font = own && { address: addressOfFont(own.id) }
  const window = useWindowSize()
  const pages = lookOf({ ...said, direction: 'auto' }, { bookDirection: isRightToLeft ? 'rtl' : 'ltr', window })
  const isWanted = said.spreads === 'double' || map.fixed?.hasSpreads === true
  return { look, colours, sheets: styleSheetsOf(look, colours, font), pages, isDouble: pages.isDouble && isWanted }
}
