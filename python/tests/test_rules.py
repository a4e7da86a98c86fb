import inspect
import pickle

import pytest

from jantaku import Rules


def test_defaults_are_tenhou():
    assert inspect.signature(Rules).parameters["base"].default == "tenhou"
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
