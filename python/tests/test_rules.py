import inspect
import pickle

import pytest

from jantaku import Game, Rules, RulesError


def test_defaults_are_tenhou():
    assert Rules() == Rules("tenhou")
    assert Rules().start_points == 25000
    assert Rules().target == 30000
    assert Rules().aka == {"m": 1, "p": 1, "s": 1}
    assert "tenhou-sanma" in Rules.presets()
    assert set(Rules().to_dict()) == set(Rules.fields())


@pytest.mark.parametrize("name", Rules.presets())
def test_presets_survive_toml_pickle_and_repr(name):
    rules = Rules(name)
    copies = [
        Rules.from_toml(rules.to_toml()),
        pickle.loads(pickle.dumps(rules)),
        eval(repr(rules)),
        Rules().replace(**rules.to_dict()),
    ]
    for copy in copies:
        assert copy == rules
        assert copy.hash == rules.hash
        assert hash(copy) == hash(rules)


def test_fields_change_as_in_rule_files(tmp_path):
    rules = Rules("mleague", kuitan=False, target=None, uma=[15, 5, -5, -15])
    assert not rules.kuitan
    assert rules.target is None
    assert rules.uma == [15, 5, -5, -15]
    assert rules != Rules("mleague")
    assert rules.replace(**Rules("mleague").to_dict()) == Rules("mleague")
    path = tmp_path / "house.toml"
    path.write_text(rules.to_toml())
    assert Rules(path) == Rules(str(path)) == rules
    assert "start_points" in dir(rules)
    assert "replace" in dir(rules)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: Rules("tenhuo"), RulesError, "did you mean `tenhou`"),
        (lambda: Rules("no/such/file.toml"), RulesError, "no file"),
        (lambda: Rules(3), TypeError, "expected Rules"),
        (lambda: Rules(kuikae="Never"), RulesError, r"`kuikae`: expected Both \|"),
        (lambda: Rules(kuitam=True), RulesError, "kuitan"),
        (lambda: Rules(players=object()), TypeError, r"`players`: expected .* found object"),
        (lambda: Rules(start_points=2**70), ValueError, "start_points"),
        (lambda: Rules(uma=[20, 10, -10]), RulesError, "uma"),
        (lambda: Rules().kuitam, AttributeError, "did you mean `kuitan`"),
        (lambda: Rules.from_toml("base = 3"), RulesError, "base"),
    ],
)
def test_wrong_rules_are_errors(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_rules_never_change():
    with pytest.raises(AttributeError):
        Rules().start_points = 30000  # type: ignore[attr-defined]


def test_none_is_no_rules():
    with pytest.raises(TypeError, match=r"`base`: expected Rules, .* a rule file, found NoneType"):
        Rules(None)
    with pytest.raises(TypeError, match=r"`rules`: expected Rules, .* found int"):
        Game(3)
    assert Rules() == Rules("tenhou")
    assert inspect.signature(Rules).parameters["base"].default == "tenhou"
