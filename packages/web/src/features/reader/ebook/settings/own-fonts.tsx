import { addressOf, deleteFont, type FontDto, listFonts, readFont, uploadFont } from '@carrel/api'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../../../api/base.ts'
import { call } from '../../../../api/call.ts'
import { invalidate, useLater } from '../../../../api/queries.ts'
import { useProblemText } from '../../../../text/problem-text.ts'
import { Row } from '../../../../ui/layout/layout.tsx'
import { Quiet } from '../../sheet/fields.tsx'
import { toast } from '../../../../ui/state/toasts.tsx'

const nothing: readonly FontDto[] = []

export const useOwnFonts = (): readonly FontDto[] => useLater(listFonts, {}).data?.fonts ?? nothing

/** Absolute, because a document in memory requests it. */
export const addressOfFont = (id: string): string =>
  window.location.origin + basePath + addressOf(readFont, { params: { id } })

interface OwnFontsProps {
  /** The one that is chosen, if it is one of the reader's own. */
  readonly chosen: FontDto | undefined
  readonly onChoose: (font: string) => void
}

/** The user uploads a font of their own, and removes the chosen one again. */
export const OwnFonts = ({ chosen, onChoose }: OwnFontsProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const textOf = useProblemText()
  const input = useRef<HTMLInputElement>(null)
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
    await invalidate(listFonts)
  }
  const add = async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> =>
    attempt(async () => {
      const { body } = await call(uploadFont, { query: { name }, body: bytes })
      onChoose(`own:${body.id}`)
    })
  const bring = async (file: File | undefined): Promise<void> => {
    if (file) await add(nameOf(file.name), new Uint8Array(await file.arrayBuffer()))
  }
  const remove = (font: FontDto): Promise<void> =>
    attempt(async () => {
      const bytes = new Uint8Array(await (await fetch(addressOfFont(font.id))).arrayBuffer())
      await call(deleteFont, { params: { id: font.id } })
      onChoose('publisher')
      toast({ text: t('fonts.removed', { name: font.name }), undo: () => void add(font.name, bytes) })
    })
  return (
    <Row gap={4} wrap>
      <input
        ref={input}
        type="file"
        accept=".woff2,.otf,.ttf"
        aria-label={t('fonts.file')}
        hidden
        onChange={({ currentTarget }) => {
          void bring(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      <Quiet label={t('fonts.add')} onClick={() => input.current?.click()} />
      {chosen === undefined ? null : (
        <Quiet label={t('fonts.remove', { name: chosen.name })} onClick={() => void remove(chosen)} />
      )}
    </Row>
  )
}

const nameOf = (file: string): string => file.replace(/\.[^.]*$/, '').slice(0, 100) || file.slice(0, 100)
