import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { goTo } from '../../navigation/go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { useMe } from '../../session/me.ts'
import type { Hit } from './hits.ts'
import { pathAbout, pathOfHit, useLineActions } from './line-actions.ts'
import { type Group, type Line, lineOfCommand, linesIn } from './lines.ts'
import type { PressedWith } from './palette-head.tsx'
import { type Scope, useGroups } from './use-groups.ts'
import { noteUsed } from './used-commands.ts'

interface LinesOptions {
  readonly text: string
  readonly scope: Scope
  /** Enter was pressed already. */
  readonly isEntered: boolean
  readonly close: () => void
}

/** It holds which line is the active one, and what keys and the pointer do with it. */
export const useLines = ({ text, scope, isEntered, close }: LinesOptions) => {
  const [marked, setMarked] = useState<{ readonly key: string; readonly isByKey: boolean }>()
  const [actionsOf, setActionsOf] = useState<Hit>()
  const result = useGroups({ text, scope })
  const actions = useLineActions()
  const groups: readonly Group[] =
    actionsOf === undefined ? result.groups : [{ name: 'actions', lines: actions(actionsOf).map(lineOfCommand) }]
  const lines = linesIn(groups)
  const isMarked = lines.some(({ key }) => key === marked?.key)
  const active = isMarked ? lines.find(({ key }) => key === marked?.key) : lines[0]
  const { going, choose } = useChoice(actionsOf === undefined, close)
  const isBestToCome = result.isComing && actionsOf === undefined && !isMarked && active?.hit === undefined
  const query = text.trim()
  const goOn = (): void => going(paths.search({ q: query }))
  const enter = useEnter({ query, isBestToCome, isEntered, line: active, choose, goOn })
  const show = (hit: Hit | undefined): void => {
    setActionsOf(hit)
    setMarked(undefined)
  }
  const step = (by: 1 | -1): void => {
    const at = lines.findIndex(({ key }) => key === active?.key)
    const line = lines.at((at + by) % lines.length)
    if (line) setMarked({ key: line.key, isByKey: true })
  }
  /** It returns whether the key meant the lines. */
  const press = (key: string, { isAbout, isAtEnd, text: typed }: PressedWith): boolean => {
    if (key !== 'Enter') enter.forget()
    if (key === 'ArrowDown' || key === 'ArrowUp') step(key === 'ArrowDown' ? 1 : -1)
    else if (key === 'Enter') enter.press(typed.trim(), isAbout)
    else if (key === 'ArrowRight' && isAtEnd && active?.hit) show(active.hit)
    else if ((key === 'ArrowLeft' || key === 'Escape') && actionsOf !== undefined) show(undefined)
    else return false
    return true
  }
  return {
    ...result,
    groups,
    lines,
    active,
    isByKey: marked?.isByKey === true,
    actionsOf,
    choose,
    press,
    going,
    leaveActions: () => show(undefined),
    mark: (key: string): void => setMarked({ key, isByKey: false }),
  }
}

const useChoice = (isAmongHits: boolean, close: () => void) => {
  const router = useRouter()
  const { id: userId } = useMe()
  const going = (to: string): void => {
    close()
    goTo(router, to)
  }
  const choose = ({ hit, command }: Line, isAbout = false): void => {
    if (hit) return going(isAbout ? pathAbout(hit) : pathOfHit(hit))
    if (isAmongHits) noteUsed(userId, command.key)
    if (command.to !== undefined) return going(command.to)
    close()
    command.run?.()
  }
  return { going, choose }
}

interface EnterOptions {
  readonly query: string
  /** Nothing of the library is known yet: who types fast and presses Enter means what the server finds. */
  readonly isBestToCome: boolean
  readonly isEntered: boolean
  readonly line: Line | undefined
  readonly choose: (line: Line, isAbout: boolean) => void
  readonly goOn: () => void
}

const useEnter = ({ query, isBestToCome, isEntered, line, choose, goOn }: EnterOptions) => {
  const waiting = useRef(isEntered ? { asked: query, isAbout: false } : undefined)
  const run = (isAbout: boolean): void => {
    if (line !== undefined) choose(line, isAbout)
    else if (query !== '') goOn()
  }
  useEffect(() => {
    const { current } = waiting
    if (current === undefined || current.asked !== query || isBestToCome) return
    waiting.current = undefined
    run(current.isAbout)
  })
  return {
    press: (typed: string, isAbout: boolean): void => {
      if (typed !== query || (query !== '' && isBestToCome)) waiting.current = { asked: typed, isAbout }
      else run(isAbout)
    },
    /** Whoever goes on typing means something else. */
    forget: (): void => {
      waiting.current = undefined
    },
  }
}
