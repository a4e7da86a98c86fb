import pickle

import numpy as np

from jantaku import Action


def test_numbers_texts_and_pickles_name_the_same_action():
    assert len(Action.all()) == Action.COUNT == 165
    for number, action in enumerate(Action.all()):
        copies = [
            Action(number),
            Action(np.int64(number)),
            Action(action),
            Action(str(action)),
            eval(repr(action)),
            pickle.loads(pickle.dumps(action)),
        ]
        for copy in copies:
            assert copy == action
            assert copy == number
            assert hash(copy) == hash(action) == hash(number)
        assert action.id == int(action) == number
        assert action.meaning.endswith(".")
    assert Action(1) < Action(2) <= 2 < Action(3)
    assert max(Action.all()) == Action("end game")
    assert np.zeros(165)[Action("ron")] == 0
