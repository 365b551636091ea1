import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeyName } from '../../../ui/keyboard/key-name.ts'
import { Row, Stack, Text } from '../../../ui/layout/layout.tsx'
import { type BoundAction, boundActions, type KeyBindings } from '../controls/key-bindings.ts'
import { Quiet } from '../sheet/fields.tsx'
import styles from './key-rows.module.css'

/** These mean something of their own, wherever one is. */
const taken = new Set(['?', '/', 'Escape', 'Tab', 'Enter', ' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'g'])

/** What can be done by key, and by which: whoever presses one of these says another. */
export const KeyRows = ({ bindings }: { readonly bindings: KeyBindings }): ReactNode => {
  const { t } = useTranslation('reader')
  const nameOf = useKeyName()
  const [actionToBind, setActionToBind] = useState<BoundAction>()
  useNextKey(actionToBind !== undefined, (key) => {
    if (actionToBind !== undefined && key !== undefined) bindings.bind(actionToBind, key)
    setActionToBind(undefined)
  })
  return (
    <>
      <Text quiet size={12}>
        {t('bindings.about')}
      </Text>
      <Stack as="ul" gap={1}>
        {boundActions.map((action) => (
          <Row as="li" key={action} gap={3} justify="between" className={styles.row}>
            <span>{t(`keys.${action}`)}</span>
            <button
              type="button"
              className={styles.key}
              aria-pressed={actionToBind === action}
              aria-label={t('bindings.change', { what: t(`keys.${action}`), key: nameOf(bindings.keyOf(action)) })}
              onClick={() => setActionToBind(action)}
            >
              {actionToBind === action ? t('bindings.press') : nameOf(bindings.keyOf(action))}
            </button>
          </Row>
        ))}
      </Stack>
      {bindings.isUsual ? null : (
        <div>
          <Quiet label={t('bindings.reset')} onClick={bindings.reset} />
        </div>
      )}
    </>
  )
}

/** The next key, before anybody else has it; undefined for one that cannot be had. */
const useNextKey = (isAsked: boolean, onKey: (key: string | undefined) => void): void => {
  useEffect(() => {
    if (!isAsked) return undefined
    const take = (event: KeyboardEvent): void => {
      if (['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock'].includes(event.key)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      const canBeHad = !taken.has(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey
      onKey(canBeHad ? event.key : undefined)
    }
    window.addEventListener('keydown', take, true)
    return () => window.removeEventListener('keydown', take, true)
  }, [isAsked, onKey])
}
