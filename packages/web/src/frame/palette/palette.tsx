import { useLocation, useRouter } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefTo } from '../../navigation/go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import type { PaletteFrame } from '../open-palette.ts'
import { pathOfHit } from './line-actions.ts'
import { LineRow } from './line-row.tsx'
import type { Group, Line } from './lines.ts'
import { PaletteFoot } from './palette-foot.tsx'
import { PaletteHead } from './palette-head.tsx'
import { useLines } from './use-lines.ts'
import type { Scope } from './use-groups.ts'
import styles from './palette.module.css'

export interface PaletteProps {
  readonly frame: PaletteFrame
  /** Where the field is that a drop-down hangs from. */
  readonly field: RefObject<HTMLElement | null>
  /** What stands in the field at first. */
  readonly text: string
  /** Enter was pressed before the palette was there. */
  readonly isEntered: boolean
  readonly onClose: () => void
}

/** It finds what is in the libraries, and what can be done and gone to: one component in two frames. */
export const Palette = ({ frame, field, text, isEntered, onClose }: PaletteProps): ReactNode => {
  const { t } = useTranslation('palette')
  const dialog = useOpenDialog(field)
  const close = (): void => dialog.current?.close()
  useClosedByGoing(dialog)
  return (
    // A click beside it closes it, and so does Escape.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-label={t('title')}
      aria-modal={frame === 'palette' ? true : undefined}
      className={styles.dialog}
      data-frame={frame}
      onClose={onClose}
      onClick={({ target }) => {
        if (target === dialog.current) close()
      }}
    >
      <Content {...{ text, isEntered, close }} />
    </dialog>
  )
}

const useOpenDialog = (field: PaletteProps['field']): RefObject<HTMLDialogElement | null> => {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    if (!current) return
    const { left, top, width } = field.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 0 }
    for (const [name, value] of Object.entries({ x: left, y: top, width }))
      current.style.setProperty(`--${name}`, `${value}px`)
    if (!current.open) current.showModal()
    const input = current.querySelector('input')
    input?.setSelectionRange(input.value.length, input.value.length)
  }, [field])
  return dialog
}

/**
 * Who goes back in the browser wants the page they were on, not this over it. The address of an open book says by itself
 * where one is in it, a moment after one has turned.
 */
const useClosedByGoing = (dialog: RefObject<HTMLDialogElement | null>): void => {
  const { pathname, href } = useLocation()
  const shown = pathname.startsWith('/read/') ? pathname : href
  const [first] = useState(shown)
  useEffect(() => {
    if (shown !== first) dialog.current?.close()
  }, [shown, first, dialog])
}

interface ContentProps extends Pick<PaletteProps, 'text' | 'isEntered'> {
  readonly close: () => void
}

const Content = ({ text: before, isEntered, close }: ContentProps): ReactNode => {
  const { t } = useTranslation('palette')
  const id = useId()
  const [text, setText] = useState(before)
  const [scope, setScope] = useState<Scope>('all')
  const lines = useLines({ text, scope, isEntered, close })
  const { active, actionsOf, isComing } = lines
  const q = text.trim()
  const isListed = lines.lines.length > 0
  const activeId = isListed ? `${id}-${lines.lines.findIndex(({ key }) => key === active?.key)}` : undefined
  useSeen(lines.isByKey ? activeId : undefined)
  return (
    <Stack>
      <PaletteHead
        {...{ id, text, scope, isListed, activeId }}
        isAmongActions={actionsOf !== undefined}
        onChange={(next) => {
          lines.leaveActions()
          setText(next)
          document.getElementById(`${id}-list`)?.scrollTo(0, 0)
        }}
        onScope={setScope}
        onPress={lines.press}
        onBack={lines.leaveActions}
        onClose={close}
      />
      <Groups {...{ id, lines }} isListed={isListed} />
      {isListed || isComing || q === '' ? null : (
        <Stack gap={1} className={styles.none}>
          <Text>{t('none', { q })}</Text>
          <Text quiet size={13}>
            {t('noneText')}
          </Text>
        </Stack>
      )}
      <PaletteFoot
        {...{ q, active }}
        count={isComing ? undefined : lines.lines.length}
        onAll={() => lines.going(paths.search({ q }))}
      />
    </Stack>
  )
}

/** What the keys have led to is scrolled into view. */
const useSeen = (activeId: string | undefined): void => {
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
}

interface GroupsProps {
  readonly id: string
  readonly lines: ReturnType<typeof useLines>
  readonly isListed: boolean
}

const Groups = ({ id, lines, isListed }: GroupsProps): ReactNode => {
  const { t } = useTranslation('palette')
  return (
    // The field keeps the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label={t('hits')}
      className={styles.body}
      hidden={!isListed}
      onPointerMove={lines.keep}
    >
      {lines.groups.map((group) => (
        <GroupOfLines
          key={group.name}
          {...{ id, group, lines }}
          title={lines.actionsOf?.value ?? t(`group.${group.name}`)}
        />
      ))}
    </div>
  )
}

interface GroupOfLinesProps extends Pick<GroupsProps, 'id' | 'lines'> {
  readonly group: Group
  readonly title: string
}

const GroupOfLines = ({ id, group, title, lines: { lines, active, words, choose, mark } }: GroupOfLinesProps) => {
  const router = useRouter()
  const first = lines.findIndex(({ key }) => key === group.lines[0]?.key)
  const addressOf = ({ hit, command }: Line): string | undefined => {
    const to = hit ? pathOfHit(hit) : command.to
    return to === undefined ? undefined : hrefTo(router, to)
  }
  return (
    <div role="group" aria-label={title}>
      <p className={styles.title} aria-hidden="true">
        {title}
      </p>
      {group.lines.map((line, index) => (
        <LineRow
          key={line.key}
          id={`${id}-${first + index}`}
          {...{ line, words }}
          href={addressOf(line)}
          isActive={line.key === active?.key}
          onChoose={(event) => {
            // With a key held down the browser opens a tab, as with any link.
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            choose(line)
          }}
          onPoint={() => {
            if (line.key !== active?.key) mark(line.key)
          }}
        />
      ))}
    </div>
  )
}
