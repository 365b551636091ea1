import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EbookLocation } from '../../../../reader/ebook/ebook-locator.ts'
import { toast } from '../../../../ui/state/toasts.tsx'
import type { Selected } from '../engine/engine.ts'
import { spotOf } from '../engine/spots.ts'
import { cfiOf, quoteOf } from '../engine/locations-in-chapter.ts'
import type { EbookReading } from '../use-ebook-reading.ts'
import type { ColourName, Marks } from './use-marks.ts'

/** Text that is selected, and what is done with it. */
export const useSelection = (reading: EbookReading, marks: Marks) => {
  const { t } = useTranslation('ebook')
  const [selected, select] = useState<Selected>()
  /** The one whose window is open, by its id. */
  const [openId, setOpenId] = useState<string>()
  const letGo = (): void => {
    selected?.range.startContainer.ownerDocument?.getSelection()?.removeAllRanges()
    select(undefined)
  }
  const mark = async (colour: ColourName): Promise<string | undefined> => {
    if (!selected || !reading.visiblePart) return undefined
    const { range, index } = selected
    const marked: EbookLocation = {
      index,
      fraction: reading.visiblePart.from,
      cfi: cfiOf(range),
      quote: quoteOf(range),
    }
    letGo()
    return (await marks.mark(marked, colour, reading.title))?.id
  }
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(selected?.range.toString() ?? '')
    letGo()
    toast({ text: t('selection.copied') })
  }
  return {
    /** Where the selected text is in the window; undefined while none is. */
    spot: selected && spotOf(selected.range.getClientRects(), selected.range.startContainer.ownerDocument),
    select,
    mark: (colour: ColourName): void => void mark(colour),
    note: (): void => void mark('yellow').then(setOpenId),
    copy: (): void => void copy().catch(() => undefined),
    opened: marks.highlights.find(({ id }) => id === openId),
    open: setOpenId,
    close: (): void => setOpenId(undefined),
  }
}

export type Selection = ReturnType<typeof useSelection>
