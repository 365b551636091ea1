import { type KeyboardEvent, type ReactNode, startTransition, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { Center, Row } from '../../ui/layout/layout.tsx'
import { type Scope, scopes } from './use-groups.ts'
import styles from './palette.module.css'

/** What a key was pressed with. */
export interface PressedWith {
  /** Ctrl or ⌘: to the page about a book instead of into it. */
  readonly isAbout: boolean
  /** The caret stands behind all that was typed. */
  readonly isAtEnd: boolean
  /** It stands in the field; the lines follow a moment later. */
  readonly text: string
}

interface PaletteHeadProps {
  readonly id: string
  /** It stands in the field at first. */
  readonly text: string
  readonly scope: Scope
  readonly isListed: boolean
  /** The id of the line that Enter chooses. */
  readonly activeId: string | undefined
  readonly isAmongActions: boolean
  readonly onChange: (text: string) => void
  readonly onScope: (scope: Scope) => void
  /** It returns whether the key meant the lines, and not the text. */
  readonly onPress: (key: string, pressedWith: PressedWith) => boolean
  readonly onBack: () => void
  readonly onClose: () => void
}

/** The field, which keeps the focus all the time, and what it looks for. A letter is seen before the lines are drawn that it finds. */
export const PaletteHead = (props: PaletteHeadProps): ReactNode => {
  const { id, text, scope, isListed, activeId, isAmongActions, onChange, onScope, onPress, onBack, onClose } = props
  const { t } = useTranslation('palette')
  const [typed, setTyped] = useState(text)
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { key, currentTarget, ctrlKey, metaKey, nativeEvent } = event
    // Enter takes over what an input method offers.
    if (nativeEvent.isComposing) return
    const { selectionStart, selectionEnd, value } = currentTarget
    const isAtEnd = selectionStart === value.length && selectionEnd === value.length
    if (onPress(key, { isAbout: ctrlKey || metaKey, isAtEnd, text: value })) event.preventDefault()
  }
  return (
    <Row gap={3} role="search" className={styles.head}>
      {isAmongActions ? (
        <Center as="button" type="button" className={styles.back} aria-label={t('back')} onClick={onBack}>
          <Icon name="back" />
        </Center>
      ) : (
        <Icon name="search" />
      )}
      <input
        className={styles.input}
        type="text"
        enterKeyHint="go"
        role="combobox"
        aria-label={t('placeholder')}
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={500}
        placeholder={t('placeholder')}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          startTransition(() => onChange(value))
        }}
        onKeyDown={press}
      />
      <Scopes scope={scope} onScope={onScope} />
      <button type="button" className={styles.cancel} onClick={onClose}>
        {t('cancel')}
      </button>
    </Row>
  )
}

const Scopes = ({ scope, onScope }: Pick<PaletteHeadProps, 'scope' | 'onScope'>): ReactNode => {
  const { t } = useTranslation('palette')
  return (
    <Row gap="hair" role="group" aria-label={t('scope.label')} className={styles.scopes}>
      {scopes.map((each) => (
        <button
          key={each}
          type="button"
          className={styles.scope}
          aria-pressed={each === scope}
          onClick={() => onScope(each)}
        >
          {t(`scope.${each}`)}
        </button>
      ))}
    </Row>
  )
}
